// The button that shows and hides a table: what was opened stays open when its view is built anew.

/** opened: the names of the view's tables that are open; follow is called when this one is opened or closed. */
function tableButton(opened, name, follow) {
  const node = el("button", { type: "button", class: "link" });
  function tell() {
    node.setAttribute("aria-expanded", opened.has(name));
    setText(node, opened.has(name) ? "Hide table" : "Table");
  }
  node.addEventListener("click", () => {
    if (!opened.delete(name)) opened.add(name);
    tell();
    follow();
  });
  tell();
  return node;
}
