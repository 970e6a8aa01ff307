// One box for all marked terms: it opens on focus and hover, follows no click by itself, and Escape closes it.

const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page
const GAP = 6, EDGE = 8, BEFORE = 120, AFTER = 200;   // pixels, pixels; milliseconds before it opens on hover, and until it closes

function createTips(root) {
  const ends = new AbortController(), { signal } = ends;
  const title = words("b", ""), text = words("span", ""), hint = words("small", "");
  const box = el("div", { class: "term-tip", id: "term-tip", role: "tooltip", popover: "manual" }, title, text, hint);
  root.replaceChildren(box);
  let terms = {}, prefix = "", send = null, shown = null, timer = 0, touched = null;

  /** The marked term that an event is about, also in a component's own tree. */
  function linkOf(event) {
    const link = event.composedPath().find((node) => node instanceof Element && node.matches(`a[href^="${prefix}"]`));
    return link && termOf(link) in terms ? link : null;
  }
  const termOf = (link) => link.getAttribute("href").slice(prefix.length);

  function show(link, by) {
    clearTimeout(timer);
    if (shown !== link) hide();
    const [name, meaning] = terms[termOf(link)];
    setText(title, name);
    setText(text, meaning);
    setText(hint, by === "touch" ? "Tap again for the glossary" : by === "key" ? "Enter opens the glossary, Escape closes this" : "Click for the glossary");
    box.dataset.look = themeOf(box);
    shown = link;
    // A description by id ends at the border of a component's own tree; the words themselves do not.
    if (link.getRootNode() === document) link.setAttribute("aria-describedby", box.id);
    else link.setAttribute("aria-description", meaning);
    box.showPopover();
    place(link);
  }
  function place(link) {
    const [at] = link.getClientRects(), { width, height } = box.getBoundingClientRect();
    if (!at || at.bottom < 0 || at.top > innerHeight) return hide();
    const below = at.bottom + GAP, above = at.top - GAP - height;
    const fits = below + height <= innerHeight - EDGE || above < EDGE;
    box.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - EDGE - width))}px`;
    box.style.top = `${fits ? below : above}px`;
  }
  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown.removeAttribute("aria-description");
    shown = null;
    if (box.isConnected) box.hidePopover();
  }
  function later(act, wait) {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  }

  const on = (name, act) => document.addEventListener(name, act, { signal, capture: true });
  on("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const link = linkOf(event);
    if (link) later(() => link.isConnected && show(link, "mouse"), link === shown ? 0 : BEFORE);
    else if (event.composedPath().includes(box)) clearTimeout(timer);
    else if (shown && !shown.matches(":focus-visible")) later(hide, AFTER);
    else clearTimeout(timer);
  });
  on("focusin", (event) => {
    const link = linkOf(event);
    if (link && link.matches(":focus-visible")) show(link, "key");
  });
  on("focusout", (event) => linkOf(event) && hide());
  on("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    event.preventDefault();
    event.stopPropagation();
    hide();
  });
  // Bringing a term into sight scrolls, too; the box goes along.
  on("scroll", () => shown && place(shown));
  addEventListener("resize", hide, { signal });
  // A finger cannot hover: its first tap explains, the second one follows.
  on("pointerdown", (event) => {
    const link = linkOf(event);
    if (!link && !event.composedPath().includes(box)) hide();
    touched = event.pointerType === "touch" && link !== shown ? link : null;
  });
  on("click", (event) => {
    const link = linkOf(event);
    // A new tab or window is the browser's business.
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (touched === link) {
      touched = null;
      return show(link, "touch");
    }
    hide();
    send("asked", termOf(link));
  });

  function update(bytes, setTriggerValue) {
    const message = JSON.parse(new TextDecoder().decode(bytes));
    terms = message.terms;
    prefix = `${message.address}?term=`;
    send = setTriggerValue;
  }
  function dispose() {
    hide();
    ends.abort();
    alive.delete(root);
  }
  return { update, dispose };
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".term-tips");
  if (!alive.has(root)) alive.set(root, createTips(root));
  const view = alive.get(root);
  view.update(data, setTriggerValue);
  return endedByLastCall(root, view.dispose);
}
