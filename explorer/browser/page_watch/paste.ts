// Applies a paste at once, and keeps the beginning of one that is too long for its field.
//
// Of a text longer than a field's limit Streamlit takes nothing, without a word. What fits is let through, so that the
// server can say what is too long.

declare global {
  var explorerCutsPastes: boolean | undefined;
}

/** longest: characters of a field that Streamlit takes. */
export function watchPastes(longest: number): void {
  if (globalThis.explorerCutsPastes) return;
  globalThis.explorerCutsPastes = true; // for as long as the page is open, also when the component is gone
  document.addEventListener(
    "paste",
    (event) => {
      const field = event.composedPath()[0],
        text = event.clipboardData?.getData("text") ?? "";
      if (!(field instanceof HTMLTextAreaElement)) return;
      const { value, selectionStart, selectionEnd } = field;
      const whole = value.slice(0, selectionStart) + text + value.slice(selectionEnd);
      setTimeout(() => apply(field));
      if (whole.length <= longest) return;
      event.preventDefault();
      // No half of a character that takes two places is left at the end.
      const kept = whole.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
      // React hears of a value that is set from outside only where the element's own setter has put it there.
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, kept);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    { capture: true },
  );
}

/** Let Streamlit take what a field holds, which it does when the focus leaves the field. */
function apply(field: HTMLTextAreaElement): void {
  if (!field.matches(":focus")) return;
  field.blur();
  field.focus({ preventScroll: true });
}
