// The line that names the keys of a lesson, what was said to an answer, and the part that a stop speaks of.

const STRIP = ".st-key-lesson";
const WAIT_MS = 4000;   // for the parts of a page to have their height

export default function (component) {
  const { parentElement, data } = component;
  const root = parentElement.querySelector(".lesson-keys");
  root.dataset.look = themeOf(root);
  const { stop, part, said, line } = JSON.parse(new TextDecoder().decode(data));
  root.querySelector(".line").textContent = line;
  const status = root.querySelector(".unseen");
  if (status.textContent !== said) status.textContent = said;

  listenForLesson();
  if (stop !== parentElement.shownStop) {
    parentElement.shownStop = stop;
    parentElement.stopFollowing?.();
    parentElement.stopFollowing = follow(part);
  }
  const call = parentElement.lastCall = {};
  return () => {
    // While the script loads, Streamlit ends an earlier call only after it has made the next one.
    if (parentElement.lastCall === call) parentElement.stopFollowing?.();
  };
}

/** Keeps a part in view while the page is built, until the visitor moves it themselves; gives the way to end it. */
function follow(part) {
  const begun = performance.now();
  const observer = new MutationObserver(align);
  const events = ["wheel", "pointerdown", "keydown", "touchstart"];
  function end() {
    observer.disconnect();
    clearTimeout(timer);
    events.forEach((name) => document.removeEventListener(name, end, true));
  }
  function align() {
    if (performance.now() - begun > WAIT_MS) return end();
    const strip = document.querySelector(STRIP), box = part && document.querySelector(`.st-key-${part}`);
    const scroller = scrollerOf(strip);
    if (!strip || !scroller) return;
    // Where the strip does not stay in sight, as on a phone, it comes first.
    const { position, top: below } = getComputedStyle(strip.parentElement), pinned = position === "sticky";
    if (!part || !pinned) scroller.scrollTop = 0;
    if (!box || !pinned) return;
    const top = scroller.getBoundingClientRect().top + parseFloat(below) + strip.getBoundingClientRect().height + 12;
    const away = box.getBoundingClientRect().top - top;
    // What is in view already stays where it is.
    const fits = away >= 0 && box.getBoundingClientRect().bottom <= window.innerHeight;
    if (fits) return;
    // On a low screen the part's own pictures come before its head.
    const picture = pictureOf(box), low = picture ? picture.bottom - away + 8 - window.innerHeight : 0;
    const further = Math.max(0, Math.min(low, (picture?.top ?? 0) - away - top));
    if (Math.abs(away + further) > 1) scroller.scrollTop += away + further;
  }
  const timer = setTimeout(end, WAIT_MS);
  events.forEach((name) => document.addEventListener(name, end, { capture: true, once: true }));
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["style", "class"] });
  align();
  return end;
}

/** Where the pictures of a stage stand on the screen; nothing where the part has none. */
function pictureOf(box) {
  const hosts = [box, ...box.querySelectorAll("*")].filter((node) => node.shadowRoot);
  return hosts.map((host) => host.shadowRoot.querySelector(".figure")).find(Boolean)?.getBoundingClientRect();
}

function scrollerOf(node) {
  for (let at = node?.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at;
  }
  return document.scrollingElement;
}
