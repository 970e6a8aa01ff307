// The button that copies the address, which holds the whole view.

function buildCopyLink(view) {
  const button = el("button", { type: "button", class: "link copy", text: "Copy link" });
  const said = el("span", { class: "said", role: "status" });
  let clock = 0;
  button.addEventListener("click", async () => {
    await view.settle();
    let done = true;
    try { await navigator.clipboard.writeText(location.href); } catch { done = false; }
    setText(said, done ? "Link copied" : "The browser does not let pages copy here; take the link from the address bar.");
    clearTimeout(clock);
    clock = setTimeout(() => setText(said, ""), done ? 2500 : 8000);
  });
  return { button, said };
}
