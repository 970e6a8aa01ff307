// Made from links.ts by "make browser".
// explorer/browser/shared/elements.ts
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

// explorer/browser/shared/mount.ts
var calls = /* @__PURE__ */ new WeakMap();
function endedByLastCall(root, show, end) {
  const before = calls.get(root), call = { show };
  calls.set(root, call);
  show();
  return () => {
    if (calls.get(root) !== call) return;
    if (!root.isConnected) {
      calls.delete(root);
      end();
    } else if (before) {
      calls.set(root, before);
      before.show();
    }
  };
}
function mounted(selector, create) {
  const views = /* @__PURE__ */ new WeakMap();
  const made = (root) => {
    const ends = new AbortController(), view = create(root, ends.signal);
    return view && { view, ends };
  };
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const found = views.get(root) ?? made(root);
    if (!found) return void 0;
    const { view, ends } = found;
    views.set(root, found);
    return endedByLastCall(
      root,
      () => {
        view.update(component);
      },
      () => {
        views.delete(root);
        ends.abort();
        view.dispose?.();
      }
    );
  };
}

// explorer/browser/page_links/address.ts
function hrefOf(address, query) {
  return `${address || "./"}${query && "?"}${query}`;
}
function isPlain({ button, altKey, ctrlKey, metaKey, shiftKey }) {
  return button === 0 && !(altKey || ctrlKey || metaKey || shiftKey);
}

// explorer/browser/page_links/links.ts
var links_default = mounted("nav", (root, signal) => {
  root.addEventListener("click", follow, { signal });
  let written = "";
  return {
    update({ data }) {
      const { here, queries, sections } = readJson(data), names = JSON.stringify(sections.map(([title, links]) => [title, links.map(([name]) => name)]));
      if (names !== written)
        root.replaceChildren(...sections.flatMap(([title, links]) => section(title, links)));
      written = names;
      const anchors = root.querySelectorAll("a");
      sections.flatMap(([, links]) => links).forEach(([, address, query], i) => {
        anchors[i].href = hrefOf(address, queries[query]);
        if (address === here) anchors[i].setAttribute("aria-current", "page");
        else anchors[i].removeAttribute("aria-current");
      });
    }
  };
});
function section(title, links) {
  const list = el(
    "ul",
    title ? { "aria-label": title } : {},
    ...links.map(([name]) => el("li", {}, el("a", { href: "", text: name })))
  );
  return title ? [el("p", { "aria-hidden": "true", text: title }), list] : [list];
}
function follow(event) {
  const link = event.target.closest("a");
  if (!link || event.defaultPrevented || !isPlain(event)) return;
  event.preventDefault();
  if (document.querySelector("[data-test-connection-state]")?.getAttribute("data-test-connection-state") !== "CONNECTED")
    return;
  if (link.href !== location.href) history.pushState({}, "", link.href);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
export default links_default;
