// Formulas that the server writes as MathML. They contain no text from visitors.

/** A formula as an element. */
export function formula(mathml: string): Element {
  return document.importNode(
    new DOMParser().parseFromString(mathml, "application/xml").documentElement,
    true,
  );
}
