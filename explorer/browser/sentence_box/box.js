// The sentence box on the page: draws what reading.js found and answers keys, mouse and touch.
// Typed text and words are untrusted: they reach the page through textContent and value only.

const MAX_CHIPS = 96; // a pasted page must not build thousands of elements
const ANNOUNCE_AFTER = 800; // ms of rest before a screen reader hears the verdict
const MESSAGE_AFTER = 600; // ms that Python has to take back its last message before it counts for the new text

// --- Drawing ------------------------------------------------------------------------------------------

function draw(box) {
  const { root, parts, data } = box;
  box.now = judge(box);
  const { tokens, kind, sentence } = box.now;
  root.classList.toggle("objecting", kind === "error" || Boolean(sentence && sentence === data.message));
  // What already stands below needs no preview.
  root.classList.toggle("settled", kind === "ready" && collapse(box.now.text) === data.shown);
  parts.counter.textContent = count(tokens, data);
  parts.counter.classList.toggle("over", tokens.length > data.max_tokens);
  // aria-disabled, not disabled: the button keeps its place in the tab order, so its reason can be read.
  parts.submit.setAttribute("aria-disabled", String(!runnable(box)));
  parts.preview.role = tokens.length ? "list" : null; // the hint is no list
  parts.preview.replaceChildren(...(tokens.length ? chips(tokens, data) : [element("p", "hint", hint(box))]));
  parts.reason.textContent = sentence;
  parts.repairs.replaceChildren(...repairs(box));
  drawCompletions(box);
  clearTimeout(box.announcing);
  box.announcing = setTimeout(() => announce(box), ANNOUNCE_AFTER);
}

const runnable = (box) => ["ready", "message"].includes(box.now.kind);

function hint({ data, words }) {
  if (hasWords(data)) return `The model knows ${number(words.length)} words and completes them as you type.`;
  if (data.mode === "bpe") return "The model reads pieces of words; they are shown here as you type.";
  const letters = words.slice(0, 60).map(visible).join(" ");
  return `The model knows ${letters}${words.length > 60 ? " …" : ""}`;
}

function chips(tokens, data) {
  const shown = tokens.slice(0, Math.min(data.max_tokens + 12, MAX_CHIPS));
  const nodes = shown.map(({ text, state, over }) => {
    const chip = element("span", `chip ${state}`);
    chip.setAttribute("role", "listitem");
    chip.classList.toggle("over", over);
    chip.append(element("bdi", "token", visible(text)));
    if (state === "unknown") chip.append(element("span", "state", "unknown"));
    return chip;
  });
  const rest = tokens.length - shown.length;
  if (rest) nodes.push(element("span", "rest", `and ${number(rest)} more`));
  return nodes;
}

/** Buttons that mend the first unknown token: one for each near word, or one that takes it away. */
function repairs(box) {
  const { token, near } = box.now;
  if (!token) return [];
  const button = (text, label, repair) => {
    const node = element("button", "repair", text);
    node.type = "button";
    node.setAttribute("aria-label", label);
    node.onmousedown = (event) => event.preventDefault(); // the field keeps the focus
    node.onclick = repair;
    return node;
  };
  if (!near.length) return [button("Remove it", `Remove ${visible(token.text)}`, () => put(box, token, ""))];
  return near.map((word) => button(word, `Replace ${visible(token.text)} by ${word}`, () => put(box, token, word)));
}

function drawCompletions(box) {
  const { input, list } = box.parts;
  const { matches, word } = box.now;
  const open = box.open && box.focused && matches.length > 0;
  list.hidden = !open;
  input.setAttribute("aria-expanded", String(open));
  if (!open) {
    list.replaceChildren();
    input.removeAttribute("aria-activedescendant");
    return;
  }
  list.replaceChildren(...matches.map((match, index) => completionRow(box, match, index)));
  list.style.left = `${listLeft(box, word.start)}px`;
  if (box.active < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `completion-${box.active}`);
  list.children[box.active]?.scrollIntoView({ block: "nearest" });
}

function completionRow(box, match, index) {
  const row = element("div", "completion");
  const typed = box.now.word.prefix.length;
  row.setAttribute("role", "option");
  row.id = `completion-${index}`;
  row.setAttribute("aria-label", match); // the two halves below would be read as two words
  row.setAttribute("aria-selected", String(index === box.active));
  row.append(element("span", "typed", match.slice(0, typed)), element("span", "added", match.slice(typed)));
  row.onmousedown = (event) => event.preventDefault();
  row.onclick = () => accept(box, match);
  return row;
}

/** The list stands under the word it completes as far as the field allows; for right-to-left text at the left. */
function listLeft({ parts: { input, list }, now: { text } }, start) {
  const { direction, fontWeight, fontSize, fontFamily } = getComputedStyle(input);
  if (direction === "rtl" || list.offsetWidth >= input.clientWidth) return 0;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const wanted = pen.measureText(text.slice(0, start)).width - input.scrollLeft - 2; // letters under letters
  return Math.max(0, Math.min(wanted, input.clientWidth - list.offsetWidth));
}

function element(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function announce({ now: { sentence, near = [], tokens }, parts, data }) {
  parts.announcement.textContent = sentence ? `${sentence} ${near.join(", ")}` : count(tokens, data);
}

// --- What the person does -----------------------------------------------------------------------------

/** Puts a word in the place of a token, with the caret after it. */
function put(box, { start, end }, word) {
  const { input } = box.parts;
  const text = input.value.normalize("NFC");
  const after = word ? text.slice(end) : text.slice(end).trimStart();
  input.value = text.slice(0, start) + word + after;
  input.focus();
  input.setSelectionRange(start + word.length, start + word.length);
  typed(box, false);
}

function accept(box, match) {
  const { word, text } = box.now;
  // A blank follows, ready for the next word, unless one is there or the word is elided as l' is.
  const blank = match.endsWith("'") || text.slice(word.end).startsWith(" ") ? "" : " ";
  put(box, word, match + blank);
}

function typed(box, open = true) {
  box.open = open;
  box.insisted = false;
  box.active = -1;
  draw(box);
  // With half a word Enter could only be refused, so it takes the first completion; a whole word runs.
  const half = box.now.tokens.some(({ state }) => state === "unfinished");
  if (open && half && box.now.matches.length) choose(box, 0);
}

function choose(box, index) {
  box.active = index;
  drawCompletions(box);
}

function close(box) {
  box.open = false;
  box.active = -1;
  drawCompletions(box);
}

function submit(box) {
  box.insisted = true;
  close(box);
  draw(box);
  // At once: a page that answers may be drawn anew before the person rests.
  announce(box);
  if (!runnable(box)) {
    box.parts.input.focus();
    return;
  }
  const text = collapse(box.now.text);
  box.submitted = box.now.text;
  // A box that is drawn anew goes on from the last one's number, also where the clock was set back meanwhile.
  box.report = reportAfter(Math.max(box.report, box.data.report));
  box.setStateValue("submission", { text, report: box.report });
  clearTimeout(box.answering);
  box.answering = setTimeout(() => answered(box, box.now.text), MESSAGE_AFTER);
}

/** Python's message belongs to this text; for another text it is hidden. */
function answered(box, text) {
  box.answered = text;
  draw(box);
}

function pressed(box, event) {
  const open = !box.parts.list.hidden;
  const { matches } = box.now;
  if (event.isComposing) return; // Enter and arrows belong to the input method
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const highlighted = open && box.active >= 0;
  if (step && matches.length) {
    box.open = true;
    const from = box.active < 0 && step < 0 ? 0 : box.active;
    choose(box, (from + step + matches.length) % matches.length);
  } else if (highlighted && (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey))) {
    accept(box, matches[box.active]);
  } else if (event.key === "Enter") {
    submit(box);
  } else if (event.key === "Escape" && open) {
    close(box);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // an Escape that closed the list must not also close a dialog around it
}
// --- Life ---------------------------------------------------------------------------------------------

function mount(root) {
  const part = (selector) => root.querySelector(selector);
  const box = {
    root,
    parts: {
      label: part("label"),
      counter: part(".counter"),
      input: part("input"),
      list: part(".completions"),
      submit: part(".submit"),
      preview: part(".preview"),
      reason: part("#reason"),
      repairs: part(".repairs"),
      announcement: part(".announcement"),
    },
    report: 0,
    active: -1, // the highlighted completion
    open: false, // whether the person's last act asked for completions
    focused: false,
    insisted: false, // whether they tried to run this very text
    submitted: null, // the text that Python was given, while this is what its next message is about
    answered: null, // the text that Python's message is about
  };
  const { input, submit: button } = box.parts;
  const settle = () => {
    box.open = false;
    box.active = -1;
    draw(box);
  };
  input.oninput = () => typed(box);
  input.onkeydown = (event) => pressed(box, event);
  input.onkeyup = (event) => {
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) settle();
  };
  input.onclick = settle;
  input.onfocus = () => {
    box.focused = true;
    draw(box);
  };
  input.onblur = () => {
    box.focused = false;
    settle();
  };
  button.onclick = () => submit(box);
  // The page's own single-key shortcuts cannot see that a field inside a shadow root has the focus.
  root.onkeydown = (event) => {
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  return box;
}

/** Takes what Python sent; keeps what the person is typing unless Python named a new value. */
function take(box, data) {
  const { input, label, submit: button } = box.parts;
  const first = !box.data, fresh = box.data?.value_id !== data.value_id;
  const news = box.data?.message !== data.message;
  if (box.data?.shown !== data.shown) box.submitted = null; // it was taken
  box.data = data;
  box.known = new Set(data.words);
  box.longest = Math.max(0, ...data.words.map((word) => word.length));
  box.ranks = ranksOf(data.merges);
  box.words = [...box.known].sort();
  label.textContent = data.label;
  button.textContent = data.button;
  input.placeholder = data.placeholder;
  input.setAttribute("aria-autocomplete", hasWords(data) ? "list" : "none");
  if (fresh) {
    input.value = data.value;
    box.insisted = false;
    box.open = false;
    box.active = -1;
  }
  if (news || fresh) {
    clearTimeout(box.answering);
    box.answered = (!fresh && box.submitted) || input.value.normalize("NFC");
    box.submitted = null;
  }
  draw(box);
  if ((news || fresh) && !first) announce(box);
}

export default function sentenceBox({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".sentence-box");
  const box = (root.box ??= mount(root)); // kept on the element: this function runs at every change of data
  root.dataset.look = themeOf(root);
  box.setStateValue = setStateValue;
  take(box, JSON.parse(new TextDecoder().decode(data)));
  return () => {
    if (box.setStateValue !== setStateValue) return;   // a later call goes on with it
    clearTimeout(box.announcing);
    clearTimeout(box.answering);
  };
}
