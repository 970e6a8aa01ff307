// The first view: the cuts above, the merging below.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".token-view");
  root.dataset.look = themeOf(root);
  const text = new TextDecoder().decode(data);
  // The same message again, as after an unrelated rerun, must not take the step and the focus away.
  if (root.message === text) return;
  root.message = text;
  const message = JSON.parse(text);
  root.replaceChildren(buildCuts(message), ...(message.merging ? [buildMerging(message.merging)] : []));
}
