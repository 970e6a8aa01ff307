// Number keys for the whole page.

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const line = parentElement.querySelector(".depth-keys");
  line.dataset.look = themeOf(line);
  const { n } = JSON.parse(new TextDecoder().decode(data));
  line.textContent = `Keys 1 to ${n}`;

  function press(event) {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const place = Number(event.key) - 1;
    if (!/^[1-9]$/.test(event.key) || place >= n || isTyping(event)) return;
    setTriggerValue("pressed", place);
  }
  // The function is called again with each message; only its newest listener may stay.
  parentElement.stopKeys?.();
  document.addEventListener("keydown", press);
  parentElement.stopKeys = () => document.removeEventListener("keydown", press);
  return parentElement.stopKeys;
}

/** Whether a key belongs to what has the focus: fields and lists take numbers themselves, in shadow trees too. */
function isTyping(event) {
  const fields = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]," +
    '[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="menu"]';
  return event.composedPath().some((node) => node instanceof Element && node.matches(fields));
}
