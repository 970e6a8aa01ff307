// Formulas, which the server writes as MathML. No text of a visitor stands in them.

/** A formula as an element. */
export function formula(mathml: string): Element {
  return document.importNode(
    new DOMParser().parseFromString(mathml, "application/xml").documentElement,
    true,
  );
}
