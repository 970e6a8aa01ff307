// Made from table_button.ts by "make browser".
function tableButton(opened, name, follow, words = { closed: "Table", open: "Hide table" }) {
  const node = el("button", { type: "button", class: "link" });
  function show() {
    node.setAttribute("aria-expanded", String(opened.has(name)));
    setText(node, opened.has(name) ? words.open : words.closed);
  }
  node.addEventListener("click", () => {
    if (!opened.delete(name)) opened.add(name);
    show();
    follow();
  });
  show();
  return node;
}
