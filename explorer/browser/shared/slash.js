// The key that leads into a field of search, as on many pages of the web.

const TYPED = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=textbox]";

/** Call `act` when somebody presses / anywhere but where text is typed, until `signal` ends it. */
function onSlash(root, act, signal) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || !root.isConnected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath().some((node) => node instanceof Element && node.matches(TYPED))) return;
    event.preventDefault();
    act();
  }, { signal });
}
