// The pieces one after the other; nothing in them is markup.

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".sentence-view");
  root.dataset.look = themeOf(root);
  const parts = JSON.parse(new TextDecoder().decode(data)).map(([kind, text]) => {
    if (!kind) return text;
    if (kind.startsWith("term ")) return el("a", { href: kind.slice(5), text });
    if (kind === "number") return words("b", text);
    // A direction of its own, so that a token cannot turn the words after it round.
    return words("bdi", visible(text), kind);
  });
  root.replaceChildren(...parts);
}
