// Keys: those of a view, and those of the whole page.

const TYPED = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=textbox]";

/** Whether a key is meant for the browser or the system. */
export function isShortcut(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Do what a key stands for, and keep it from the page; a key that stands for nothing here goes on. */
export function actOn(event: KeyboardEvent, acts: Record<string, (() => void) | false | undefined>): void {
  const act = acts[event.key];
  if (!act || isShortcut(event) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** Whether an event comes from an element that matches, in shadow trees too. */
export function comesFrom(event: Event, selector: string): boolean {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}

/** Whether nothing in particular has the focus, or the title of a page that has been opened. A click beside everything focuses the page's scroller. */
export function isFromPage(event: Event): boolean {
  const origin = event.composedPath()[0];
  return origin instanceof Element && origin.matches("body, h1, [data-testid=stMain]");
}

/** Call `act` when somebody presses / anywhere but where text is typed: it leads into a search. The rest as in `onKey`. */
export function onSlash(
  root: Node,
  act: () => void,
  signal: AbortSignal,
  from: Document | Window = document,
): void {
  onKey("/", root, act, signal, from);
}

/**
 * Call `act` when somebody presses a key anywhere but where text is typed, until `signal` ends it.
 *
 * root: what has to be on the page. from: the document for a page's own key, which comes before the one of the window.
 */
export function onKey(
  key: string,
  root: Node,
  act: () => void,
  signal: AbortSignal,
  from: Document | Window = document,
): void {
  from.addEventListener(
    "keydown",
    (pressed) => {
      const event = pressed as KeyboardEvent;
      if (
        event.key !== key ||
        !root.isConnected ||
        event.defaultPrevented ||
        isShortcut(event) ||
        comesFrom(event, TYPED)
      )
        return;
      event.preventDefault();
      act();
    },
    { signal },
  );
}
