// What of buttons, and of links that look like one, cannot be read on what lies behind it, at rest and in the states that
// the pointer and the keyboard bring about: words below 4.5 to 1, a sign without words below 3 to 1. The computed colours
// count, laid over each other from the page's paper up, with the opacity of all that holds them. Shadow roots are looked
// into as well. Evaluates to a function.
() => {
  const PRESSED = "button, a[href], summary, [role=button], [role=tab], [role=radio], [role=option]";
  const STATES = {
    "at rest": [],
    "under the pointer": ["hover"],
    "with the focus": ["focus", "focus-visible"],
    "while it is pressed": ["hover", "active", "focus", "focus-visible"],
  };
  const WORDS = 4.5,
    SIGNS = 3;
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
    willReadFrequently: true,
  });
  const known = new Map();

  /** Red, green, blue and opacity, each from 0 to 1, of whatever way a colour is written in. */
  function parsed(colour) {
    if (!known.has(colour)) {
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
      known.set(
        colour,
        Array.from(pixel.getImageData(0, 0, 1, 1).data, (value) => value / 255),
      );
    }
    return known.get(colour);
  }
  const mixed = (below, above, part) => below.map((value, i) => value + (above[i] - value) * part);
  const over = (below, [red, green, blue, opacity]) => mixed(below, [red, green, blue], opacity);
  const shining = ([red, green, blue]) =>
    [
      [red, 0.2126],
      [green, 0.7152],
      [blue, 0.0722],
    ].reduce(
      (sum, [value, part]) =>
        sum + part * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
      0,
    );
  function ratio(one, other) {
    const [dark, light] = [shining(one), shining(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  // ---- states: every rule for one holds for what is marked as well, so that all can be in it at once ------------------
  const MARK = /:(hover|active|focus-visible|focus-within|focus)(?![\w-])/g;
  const HOLDS = { hover: "hover", active: "active", focus: "focus-within" };
  function markable(rules) {
    for (const rule of rules) {
      if (rule.selectorText && !rule.selectorText.includes("data-now-")) {
        const marked = rule.selectorText.replace(MARK, ":is(:$1, [data-now-$1])");
        if (marked !== rule.selectorText) rule.selectorText = marked;
      }
      if (rule.cssRules) markable(rule.cssRules);
    }
  }
  function enter(state, buttons) {
    for (const element of everything(document))
      for (const name of element.getAttributeNames())
        if (name.startsWith("data-now-")) element.removeAttribute(name);
    for (const button of buttons)
      for (const name of STATES[state]) {
        button.setAttribute(`data-now-${name}`, "");
        for (let holder = button; HOLDS[name] && holder; holder = parentOf(holder))
          holder.setAttribute(`data-now-${HOLDS[name]}`, "");
      }
  }

  function* everything(root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* everything(element.shadowRoot);
    }
  }
  /** A colour as it is seen on an element, and what is seen behind it. */
  function seen(element, colour) {
    const holders = [];
    for (let node = element; node; node = parentOf(node)) holders.unshift(node);
    function painted(place, below) {
      const style = getComputedStyle(holders[place]),
        paper = over(below, parsed(style.backgroundColor));
      const [behind, before] =
        place === holders.length - 1 ? [paper, over(paper, parsed(colour))] : painted(place + 1, paper);
      // What the server just computes anew is pale until it comes, and is no state of a button.
      // What a rerun or a demonstration fades for a while is read when it is back, or pointed at.
      const faded =
        holders[place].dataset?.stale === "true" || holders[place].parentElement?.matches(".st-key-page");
      const opacity = faded ? 1 : Number(style.opacity);
      return [behind, before].map((each) => mixed(below, each, opacity));
    }
    return painted(0, [1, 1, 1]);
  }
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  /** The colours of the words on a button, else those of its sign, each with the element that has it and what it needs. */
  function parts(button) {
    const inside = [button, ...everything(button)].filter(isSeen);
    const written = inside.filter((each) =>
      [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()),
    );
    // Streamlit's signs are letters of a typeface made of signs.
    const needed = ({ fontFamily }) => (/^"?Material Symbols/.test(fontFamily) ? SIGNS : WORDS);
    if (written.length)
      return written.map((each) => [each, getComputedStyle(each).color, needed(getComputedStyle(each))]);
    return inside
      .filter((each) => each instanceof SVGGeometryElement)
      .flatMap((each) => {
        const { fill, stroke } = getComputedStyle(each),
          shown = [stroke, fill].find((paint) => paint !== "none" && parsed(paint)[3] > 0);
        return shown ? [[each, shown, SIGNS]] : [];
      });
  }
  const nameOf = (element) =>
    `<${element.tagName.toLowerCase()} ${element.getAttribute("class") ?? ""}> “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;

  const roots = [document, ...[...everything(document)].map((element) => element.shadowRoot).filter(Boolean)];
  for (const root of roots)
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) markable(sheet.cssRules);
  // Of an SVG's parts what lies behind them is not what holds them.
  const isAsked = (element) =>
    element instanceof HTMLElement &&
    element.matches(PRESSED) &&
    !element.closest(":disabled, [aria-disabled=true]");
  const buttons = [...everything(document)].filter((element) => isAsked(element) && isSeen(element));
  const found = new Map();
  for (const state of Object.keys(STATES)) {
    enter(state, buttons);
    for (const button of buttons)
      for (const [part, colour, least] of parts(button)) {
        const contrast = ratio(...seen(part, colour));
        if (contrast < least)
          found.set(`${nameOf(button)} ${state}`, `${nameOf(button)} ${state}: ${contrast.toFixed(2)} to 1`);
      }
  }
  enter("at rest", []);
  return [...found.values()];
};
