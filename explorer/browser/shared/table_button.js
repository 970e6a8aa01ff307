// Made from table_button.ts by "make browser".
function tableButton(opened, name, follow) {
  const node = el("button", { type: "button", class: "link" });
  function show() {
    node.setAttribute("aria-expanded", String(opened.has(name)));
    setText(node, opened.has(name) ? "Hide table" : "Table");
  }
  node.addEventListener("click", () => {
    if (!opened.delete(name)) opened.add(name);
    show();
    follow();
  });
  show();
  return node;
}
