// Made from view.ts by "make browser".
// explorer/browser/shared/bus.ts
var NAME = "explorer-";
function tell(kind, message) {
  if (kind === "moment") globalThis.explorerMoment = message;
  if (kind === "light") globalThis.explorerLight = message;
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
}
function onTold(kind, hear, signal) {
  if (kind === "moment" && globalThis.explorerMoment) hear(globalThis.explorerMoment);
  if (kind === "light" && globalThis.explorerLight) hear(globalThis.explorerLight);
  window.addEventListener(NAME + kind, (event) => hear(event.detail), {
    signal
  });
}

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
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
}
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
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
    const found2 = views.get(root) ?? made(root);
    if (!found2) return void 0;
    const { view, ends } = found2;
    views.set(root, found2);
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

// explorer/browser/shared/report.ts
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}

// explorer/browser/shared/resize.ts
function onResize(root, layout, signal) {
  let width = 0;
  window.addEventListener("resize", layout, { signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    layout();
  });
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
  void document.fonts.ready.then(() => {
    if (!signal.aborted) layout();
  });
}

// explorer/browser/shared/theme.ts
function themeOf(root) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return luminance([red, green, blue]) < 0.18 ? "dark" : "light";
}
function luminance(colour) {
  const [red, green, blue] = colour.map(
    (c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// explorer/browser/shared/message.ts
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const arrays = {}, codes = {};
  let at = bodyStart(length);
  for (const [name, shape] of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, at, sizeOf(shape)), { shape });
    at += arrays[name].byteLength;
  }
  for (const [name, shape] of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, at, sizeOf(shape)), { shape });
    at += codes[name].byteLength;
  }
  return { header, arrays, codes };
}
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// explorer/browser/sentence_bar/data.ts
function readBar(bytes) {
  const {
    header,
    arrays: { vocabulary: packed }
  } = readPayload(bytes);
  const text = new TextDecoder().decode(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength));
  return { ...header, ...JSON.parse(text) };
}

// explorer/browser/shared/numbers.ts
function fixed(value, decimals) {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  return (value < 0 ? "−" : "") + (Number.isFinite(size) ? halfToEven(size, decimals) : "∞");
}
function halfToEven(size, decimals) {
  const up = size.toFixed(decimals);
  const isBetween = size * 2 ** (decimals + 1) % 2 === 1;
  return isBetween && /[13579]$/.test(up) ? (size - 0.75 * 10 ** -decimals).toFixed(decimals) : up;
}
function formatProbability(value) {
  if (value > 0 && value < 1e-4) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}
function formatCount(value) {
  return value.toLocaleString("en-US");
}
function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text) {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// core/data/tokenizers/cased_word.json
var cased_word_default = {
  spaces: "	\n\v\f\r              \u2028\u2029  　",
  apostrophes: "'’·׳״",
  elided: ["c", "d", "j", "l", "m", "n", "s", "t", "un", "all", "dall", "dell", "nell", "sull", "quell", "quest", "bell", "sant", "gl"],
  elided_endings: ["qu"],
  marks: {
    opening: "¿¡#@",
    closing: "%‰°",
    quote: "\"'`",
    joining: "/\\、。・〜་༌፡「」『』（）《》〈〉【】〔〕〖〗！＂＃＄％＆＇＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｛｜｝～｟｠｡｢｣､･",
    operator: "&*†‡•§¶·"
  },
  categories: {
    Ps: "opening",
    Pe: "closing",
    Pi: "quote",
    Pf: "closing_quote",
    Pd: "joining",
    Pc: "joining",
    Po: "closing",
    Sc: "quote",
    Sm: "operator",
    Sk: "operator",
    So: "operator"
  },
  flags: [["1f1e6", "1f1ff"]],
  skin_tones: [["1f3fb", "1f3ff"]],
  selectors: [["20e3", "20e3"], ["fe0e", "fe0f"], ["e0020", "e007f"]],
  pictures: [
    ["a9", "a9"],
    ["ae", "ae"],
    ["203c", "203c"],
    ["2049", "2049"],
    ["2122", "2122"],
    ["2194", "2199"],
    ["21a9", "21aa"],
    ["231a", "231b"],
    ["2328", "2328"],
    ["23cf", "23cf"],
    ["23e9", "23f3"],
    ["23f8", "23fa"],
    ["24c2", "24c2"],
    ["25aa", "25ab"],
    ["25b6", "25b6"],
    ["25c0", "25c0"],
    ["25fb", "25fe"],
    ["2600", "2604"],
    ["260e", "260e"],
    ["2611", "2611"],
    ["2614", "2615"],
    ["2618", "2618"],
    ["261d", "261d"],
    ["2620", "2620"],
    ["2622", "2623"],
    ["2626", "2626"],
    ["262a", "262a"],
    ["262e", "262f"],
    ["2638", "263a"],
    ["2640", "2640"],
    ["2642", "2642"],
    ["2648", "2653"],
    ["265f", "2660"],
    ["2663", "2663"],
    ["2665", "2666"],
    ["2668", "2668"],
    ["267b", "267b"],
    ["267e", "267f"],
    ["2692", "2697"],
    ["2699", "2699"],
    ["269b", "269c"],
    ["26a0", "26a1"],
    ["26a7", "26a7"],
    ["26aa", "26ab"],
    ["26b0", "26b1"],
    ["26bd", "26be"],
    ["26c4", "26c5"],
    ["26c8", "26c8"],
    ["26ce", "26cf"],
    ["26d1", "26d1"],
    ["26d3", "26d4"],
    ["26e9", "26ea"],
    ["26f0", "26f5"],
    ["26f7", "26fa"],
    ["26fd", "26fd"],
    ["2702", "2702"],
    ["2705", "2705"],
    ["2708", "270d"],
    ["270f", "270f"],
    ["2712", "2712"],
    ["2714", "2714"],
    ["2716", "2716"],
    ["271d", "271d"],
    ["2721", "2721"],
    ["2728", "2728"],
    ["2733", "2734"],
    ["2744", "2744"],
    ["2747", "2747"],
    ["274c", "274c"],
    ["274e", "274e"],
    ["2753", "2755"],
    ["2757", "2757"],
    ["2763", "2764"],
    ["2795", "2797"],
    ["27a1", "27a1"],
    ["27b0", "27b0"],
    ["27bf", "27bf"],
    ["2934", "2935"],
    ["2b05", "2b07"],
    ["2b1b", "2b1c"],
    ["2b50", "2b50"],
    ["2b55", "2b55"],
    ["3030", "3030"],
    ["303d", "303d"],
    ["3297", "3297"],
    ["3299", "3299"],
    ["1f000", "1f1e5"],
    ["1f200", "1f3fa"],
    ["1f400", "1faff"]
  ]
};

// explorer/browser/sentence_bar/cased_words.ts
var [GLUED, SPACED] = ["·", "▁"];
var SPACES = `[${cased_word_default.spaces}]`;
var CHUNK = new RegExp(`[^${cased_word_default.spaces}]+`, "gu");
var BLANKS = new RegExp(`^${SPACES}+|${SPACES}{2,}|(?! )${SPACES}|${SPACES}+$`, "gu");
var CORE = /w(?:[wjzx]|a(?=w))*|rr|e[xm]*(?:ze[xm]*)*|./g;
var SHAPES = {
  plain: { before: true, after: "space" },
  elided: { before: true, after: "none" },
  opening: { before: true, after: "none" },
  closing: { before: false, after: "space" },
  quote: { before: true, after: "flip" },
  closing_quote: { before: false, after: "flip" },
  operator: { before: true, after: "same" },
  joining: { before: false, after: "same" }
};
var MARKS = new Map(
  Object.entries(cased_word_default.marks).flatMap(([shape, marks]) => Array.from(marks, (mark) => [mark, shape]))
);
var CATEGORIES = Object.entries(cased_word_default.categories).map(
  ([category, shape]) => [new RegExp(`\\p{${category}}`, "u"), shape]
);
var RANGES = [
  ["pictures", "e"],
  ["flags", "r"],
  ["skin_tones", "m"],
  ["selectors", "x"]
].flatMap(
  ([name, letter]) => cased_word_default[name].map(([first, last]) => [parseInt(first, 16), parseInt(last, 16), letter])
);
var CLASSES = new Map([
  ...Array.from(cased_word_default.apostrophes, (mark) => [mark, "a"]),
  ["‌", "j"],
  ["‍", "z"],
  ["_", "w"]
]);
function bare(token) {
  return token.length > 1 && (token[0] === GLUED || token[0] === SPACED) ? token.slice(1) : token;
}
function cutCasedWords(text, hasExactSpaces) {
  const cuts = [];
  let expected = null;
  const cutPart = (part, start) => {
    let isSpaced = false;
    for (const { 0: chunk, index } of part.matchAll(CHUNK)) {
      expected = cutChunk(chunk, start + index, expected, isSpaced, cuts);
      isSpaced = true;
    }
  };
  let end = 0;
  for (const { 0: blanks, index } of hasExactSpaces ? text.matchAll(BLANKS) : []) {
    cutPart(text.slice(end, index), end);
    end = index + blanks.length;
    for (let at = index; at < end; at++) cuts.push({ text: text[at], start: at, end: at + 1 });
    expected = false;
  }
  cutPart(text.slice(end), end);
  return cuts;
}
function cutChunk(chunk, start, expected, isSpaced, cuts) {
  for (const core of coresOf(chunk)) {
    const shape = shapeOf(core);
    let [prefix, gap] = ["", isSpaced];
    if (expected === null) gap = shape.before;
    else if (isSpaced !== (expected && shape.before)) prefix = isSpaced ? SPACED : GLUED;
    cuts.push({ text: prefix + core, start, end: start += core.length });
    expected = isSpaceAfter(shape, prefix, gap);
    isSpaced = false;
  }
  return expected;
}
function coresOf(chunk) {
  const points = Array.from(chunk);
  const classes = points.map(classOf).join("");
  return Array.from(classes.matchAll(CORE)).flatMap(({ 0: found2, index }) => {
    const cores = [];
    let core = points.slice(index, index + found2.length).join("");
    for (let end = elidedLength(core); end; end = elidedLength(core)) {
      cores.push(core.slice(0, end));
      core = core.slice(end);
    }
    return [...cores, core];
  });
}
function elidedLength(word) {
  const end = word.search(/['’]/);
  const head = word.slice(0, Math.max(end, 0)).toLowerCase();
  const isElided = cased_word_default.elided.includes(head) || cased_word_default.elided_endings.some((ending) => head.endsWith(ending));
  return end > 0 && end < word.length - 1 && isElided ? end + 1 : 0;
}
function shapeOf(core) {
  if (Array.from(core).length > 1) return SHAPES[/['’]$/.test(core) ? "elided" : "plain"];
  const mark = MARKS.get(core) ?? (/[we]/.test(classOf(core)) ? "plain" : void 0);
  return SHAPES[mark ?? CATEGORIES.find(([category]) => category.test(core))?.[1] ?? "joining"];
}
function isSpaceAfter({ before, after }, prefix, gap) {
  if (after === "same") return gap;
  if (after === "flip") return prefix === GLUED || !prefix && !before;
  return after === "space";
}
function classOf(character) {
  const known = CLASSES.get(character);
  if (known) return known;
  const code = character.codePointAt(0);
  const range = RANGES.find(([first, last]) => first <= code && code <= last);
  const found2 = range?.[2] ?? (/[\p{L}\p{M}\p{N}]/u.test(character) ? "w" : "p");
  CLASSES.set(character, found2);
  return found2;
}

// explorer/browser/sentence_bar/cutting.ts
var EMOJI = String.raw`\p{RI}{2}|\p{Extended_Pictographic}(?:[\uFE0F\u200D]|\p{EMod}|\p{Extended_Pictographic})*`;
var LETTER = String.raw`[\p{L}\p{N}_]`;
var ELISION = String.raw`(?:[cdjlmnst]|${LETTER}*qu)['’](?=${LETTER})`;
var WORD = new RegExp(String.raw`${ELISION}|${LETTER}+(?:['’]${LETTER}+)*|${EMOJI}|[^\s]`, "giu");
var WORD_OR_MARK = new RegExp(String.raw`${LETTER}+|${EMOJI}|[^\s]`, "gu");
var CHARACTER = new RegExp(String.raw`${EMOJI}|[^\s]`, "gu");
var CHARACTER_OR_SPACE = new RegExp(String.raw`${EMOJI}|(?<=\S)\s+(?=\S)|[^\s]`, "gu");
var EVERY_CHARACTER = new RegExp(String.raw`${EMOJI}|[^]`, "gu");
var MARK_OR_NONE = /[\p{P}\p{S}]|[^\p{P}\p{S}]+/gu;
var WORD_BEGIN = "▁";
var EXACT_PART = new RegExp(`▁+(?=▁)|▁?(?:(?!${SPACES})[^▁])+|▁|${SPACES}`, "gu");
var GLUE = "·";
var lowered = (text) => text.normalize("NFD").toLowerCase().normalize("NFC");
function fold(text) {
  return lowered(text.replaceAll("’", "'"));
}
function cutterOf(data) {
  const { mode, replacements, max_characters: maxCharacters, exact_spaces: hasExactSpaces, words: words2 } = data;
  const longest = words2.reduce((most, word) => Math.max(most, word.length), 0);
  return {
    mode,
    hasExactSpaces,
    maxCharacters,
    replacements,
    known: new Set(words2),
    longest,
    ranks: ranksOf(data.merges)
  };
}
var CUTS = {
  word: cutWords,
  cased_word: (text, { hasExactSpaces }) => cutCasedWords(text, hasExactSpaces),
  character: cutCharacters,
  morpheme: cutMorphemes,
  bpe: cutPieces
};
function tokenize(text, cutter) {
  return CUTS[cutter.mode](text, cutter);
}
function cutWords(text, { replacements, known }) {
  return found(text.replace(/[\s.!?…]+$/u, ""), WORD, known).flatMap(({ written, start, end }) => {
    const token = fold(written);
    const read = Object.hasOwn(replacements, token) ? replacements[token].split(" ") : [token];
    return read.map((one) => ({ text: one, start, end }));
  });
}
function cutCharacters(text, { hasExactSpaces, known }) {
  if (hasExactSpaces)
    return found(text, EVERY_CHARACTER, known).map(({ written, ...place }) => ({ text: written, ...place }));
  const pattern = known.has(" ") ? CHARACTER_OR_SPACE : CHARACTER;
  const blank = /^\s+$/u;
  return found(text, pattern, known).map(({ written, start, end }) => ({
    text: written.replace(blank, " "),
    start,
    end
  }));
}
function cutMorphemes(text, { known, longest }) {
  return found(text, WORD_OR_MARK, known).flatMap(({ written, start, end }) => {
    const word = lowered(written);
    const pieces = [];
    for (let from = 0; from < word.length; ) {
      const glue = from ? GLUE : "";
      let to = Math.min(word.length, from + longest);
      while (to > from && !known.has(glue + word.slice(from, to))) to--;
      if (to === from) return [{ text: word, start, end }];
      pieces.push({ text: glue + word.slice(from, to), start, end });
      from = to;
    }
    return pieces;
  });
}
function cutPieces(text, { hasExactSpaces, maxCharacters, ranks }) {
  const written = text.slice(0, maxCharacters).replace(/\p{Cs}/gu, "�");
  const cuts = [];
  const cut = (parts, at, nAdded) => {
    let end = at - nAdded;
    for (const piece of parts.flatMap((part) => merged(Array.from(part), ranks))) {
      const start = Math.max(at, end);
      end += piece.length;
      cuts.push({ text: piece, start, end });
    }
  };
  if (hasExactSpaces) {
    const exchanged = written.replace(/[ ▁]/gu, (sign) => sign === " " ? WORD_BEGIN : " ");
    for (const { 0: part, index } of exchanged.matchAll(EXACT_PART)) {
      const begins = part.match(/^▁*/u)[0];
      const [first = "", ...others] = part.slice(begins.length).match(MARK_OR_NONE) ?? [];
      cut([begins + first, ...others], index, 0);
    }
  } else
    for (const { 0: word, index } of written.replaceAll(WORD_BEGIN, " ").matchAll(CHUNK)) {
      const [first, ...others] = word.match(MARK_OR_NONE);
      cut([WORD_BEGIN + first, ...others], index, WORD_BEGIN.length);
    }
  return cuts;
}
function merged(pieces, ranks) {
  for (; ; ) {
    let [best, place] = [Infinity, -1];
    for (let at = 1; at < pieces.length; at++) {
      const rank = ranks.get(pieces[at - 1])?.get(pieces[at]) ?? Infinity;
      if (rank < best) [best, place] = [rank, at];
    }
    if (place < 0) return pieces;
    pieces.splice(place - 1, 2, pieces[place - 1] + pieces[place]);
  }
}
function ranksOf(merges) {
  const ranks = /* @__PURE__ */ new Map();
  merges.forEach(([left, right], rank) => {
    const halves = ranks.get(left) ?? /* @__PURE__ */ new Map();
    ranks.set(left, halves.set(right, rank));
  });
  return ranks;
}
function found(text, pattern, known) {
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: written, index }) => {
    const points = Array.from(written);
    const isWhole = !/^[\p{RI}\p{Extended_Pictographic}]/u.test(written) || !points.some((point) => known.has(point));
    let end = index;
    return (isWhole ? [written] : points).map((each) => ({
      written: each,
      start: end,
      end: end += each.length
    }));
  });
}

// explorer/browser/sentence_bar/reading.ts
var MAX_ROWS = 8;
var CHUNK_BEFORE_CARET = new RegExp(`(?:${LETTER}|['’])+$`, "u");
var CASED_CHUNK_BEFORE_CARET = /[\p{L}\p{M}\p{N}_\u200C\u200D'’]+$/u;
var STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");
function collapse(text, { hasExactSpaces }) {
  return hasExactSpaces ? text : text.trim().replace(/\s+/gu, " ");
}
function hasWords({ mode }) {
  return mode === "word" || mode === "cased_word" || mode === "morpheme";
}
function isRunnable({ kind }) {
  return kind === "ready" || kind === "message";
}
function readerOf(data) {
  const cutter = cutterOf(data);
  return { ...cutter, unit: data.unit, most: data.max_tokens, sorted: [...cutter.known].sort() };
}
function distance(a, b) {
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
function unlikeness(a, b) {
  const spare = [...b];
  const shared = [...a].filter((letter) => {
    const at = spare.indexOf(letter);
    if (at >= 0) spare.splice(at, 1);
    return at >= 0;
  }).length;
  return distance(a, b) / Math.max(a.length, b.length) - shared / (a.length + b.length);
}
function nearest(written, reader) {
  let token = written;
  if (reader.mode === "cased_word") {
    token = bare(written);
    const respaced = [token, GLUED + token, SPACED + token].filter((word) => reader.known.has(word));
    if (respaced.length) return respaced.slice(0, 1);
  }
  if (!hasWords(reader)) {
    const base = token.normalize("NFD")[0];
    const near = [token.toLowerCase(), base, base.toLowerCase()];
    return near.filter((letter, index) => reader.known.has(letter) && near.indexOf(letter) === index);
  }
  if (token.length > 24 || !STARTS_WITH_LETTER.test(token)) return [];
  const limit = Math.min(4, Math.ceil(token.length * 0.6));
  const isNear = (word) => Math.abs(word.length - token.length) <= limit && distance(token, word) <= limit || token.length > 2 && word.startsWith(token) || word.length > 2 && token.startsWith(word);
  const scored = reader.sorted.filter(isNear).map((word) => ({ word, far: unlikeness(token, word) }));
  scored.sort((a, b) => a.far - b.far);
  return scored.filter(({ far }) => far < 0.45 && far <= scored[0].far + 0.1).slice(0, 3).map(({ word }) => word);
}
function wordAtCaret(text, caret, reader) {
  const isCased = reader.mode === "cased_word";
  const chunk = text.slice(0, caret).match(isCased ? CASED_CHUNK_BEFORE_CARET : CHUNK_BEFORE_CARET)?.[0];
  if (!hasWords(reader) || !chunk || STARTS_WITH_LETTER.test(text.slice(caret))) return null;
  const chunkStart = caret - chunk.length;
  if (isCased) {
    const last2 = cutCasedWords(chunk, false).at(-1);
    return { chunk, chunkStart, prefix: bare(last2.text), start: chunkStart + last2.start, end: caret };
  }
  const last = Array.from(chunk.matchAll(WORD)).at(-1);
  return {
    chunk: fold(chunk),
    chunkStart,
    prefix: fold(last[0]),
    start: chunkStart + last.index,
    end: caret
  };
}
function completions({ prefix }, { sorted }) {
  if (!STARTS_WITH_LETTER.test(prefix)) return [];
  return sorted.filter((known) => known.startsWith(prefix) && known !== prefix).slice(0, MAX_ROWS);
}
function judge(typing, reader) {
  const { text, caret, isFocused, isInsisted } = typing;
  const word = wordAtCaret(text, caret, reader);
  const matches = word ? completions(word, reader) : [];
  const begins = (known) => word !== null && known.startsWith(word.chunk);
  const isGrowing = word !== null && isFocused && !isInsisted && (matches.length > 0 || reader.sorted.some(begins) || Object.keys(reader.replacements).some(begins));
  const tokens = tokenize(text, reader).map((token, index) => {
    const isKnown = reader.known.has(token.text);
    const isUnfinished = !isKnown && isGrowing && token.start >= word.chunkStart && token.end <= word.end;
    const state = isKnown ? "known" : isUnfinished ? "unfinished" : "unknown";
    return { ...token, state, isOver: index >= reader.most };
  });
  return { text, word, matches, tokens, ...verdict(typing, tokens, reader) };
}
function verdict({ text, answer }, tokens, reader) {
  const { mode, unit, most, maxCharacters } = reader, { length } = collapse(text, reader);
  const unknown = tokens.filter(({ state }) => state === "unknown");
  const unfinished = tokens.find(({ state }) => state === "unfinished");
  const error = (sentence) => ({ kind: "error", sentence });
  const tooLong = `${formatCount(maxCharacters)} characters at most; this has ${formatCount(length)}.`;
  if (length > maxCharacters && mode === "bpe") return error(tooLong);
  if (!tokens.length) return { kind: "empty", sentence: answer || nothingYet(unit) };
  if (tokens.length > most)
    return error(`${plural(most, unit)} at most; this has ${formatCount(tokens.length)}.`);
  if (unknown.length) return { kind: "error", ...unknownVerdict(unknown, reader) };
  if (unfinished) return { kind: "wait", sentence: `The word ${quoted(unfinished.text)} is not finished.` };
  if (length > maxCharacters) return error(tooLong);
  if (answer) return { kind: "message", sentence: answer };
  return {
    kind: "ready",
    sentence: `The model knows ${tokens.length > 1 ? "all" : "the"} ${plural(tokens.length, unit)}.`
  };
}
function unknownVerdict(unknown, reader) {
  const kind = reader.mode === "bpe" ? "character" : reader.unit;
  const [token] = unknown;
  const near = nearest(token.text, reader);
  const name = quoted(token.text);
  const more = new Set(unknown.map(({ text }) => text)).size - 1;
  const others = more ? ` and ${formatCount(more)} more` : "";
  const lead = more ? ` Nearest to ${name}:` : ` Its nearest ${kind}${near.length > 1 ? "s" : ""}:`;
  const lacks = reader.mode === "bpe" ? "has no piece for" : "does not know";
  return { sentence: `The model ${lacks} ${name}${others}.${near.length ? lead : ""}`, unknown: token, near };
}
function marked({ text, tokens }) {
  const pieces = [];
  let at = 0;
  for (const { start, end, state } of tokens) {
    if (state !== "unknown" || start < at) continue;
    pieces.push(
      { text: text.slice(at, start), isUnknown: false },
      { text: text.slice(start, end), isUnknown: true }
    );
    at = end;
  }
  return [...pieces, { text: text.slice(at), isUnknown: false }].filter((piece) => piece.text);
}
function mended(text, { text: token, start, end }, word, { mode }) {
  let before = text.slice(0, start);
  if (mode === "cased_word" && word) {
    const isSpaced = /\s$/u.test(before);
    const isExpected = token.length > 1 && token[0] === SPACED ? false : bare(token) !== token || isSpaced;
    const isGlued = bare(word) !== word && word[0] === GLUED;
    const isWanted = before !== "" && !isGlued && (isExpected || bare(word) !== word);
    if (isSpaced !== isWanted) before = isWanted ? `${before} ` : before.trimEnd();
  }
  const lead = before + (mode === "cased_word" ? bare(word) : word);
  return { text: lead + (word ? text.slice(end) : text.slice(end).trimStart()), caret: lead.length };
}
var nothingYet = (unit) => `Write a ${["word", "piece"].includes(unit) ? "sentence" : unit} first.`;
function seen(token) {
  if (/^\s$/u.test(token)) return "␣";
  if (/^[\p{C}\p{Z}]$/u.test(token))
    return `U+${token.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  const letters = Array.from(/^\p{M}/u.test(token) ? `◌${token}` : token);
  return letters.length > 24 ? `${letters.slice(0, 23).join("")}…` : letters.join("");
}
function quoted(token) {
  const shown = seen(token);
  return /[\u0590-\u08FF\uFB1D-\uFEFC]/.test(shown) ? `"⁨${shown}⁩"` : `"${shown}"`;
}
function countOf(tokens, { unit, most }) {
  return tokens.length ? `${plural(tokens.length, unit)}, up to ${formatCount(most)}` : `up to ${plural(most, unit)}`;
}
function hintOf(reader, words2) {
  if (hasWords(reader))
    return `The model knows ${formatCount(words2.length)} words and completes them as you type.`;
  if (reader.mode === "bpe") return "The model reads pieces of words; they are shown here as you type.";
  const letters = words2.slice(0, 60).map(seen).join(" ");
  return `The model knows ${letters}${words2.length > 60 ? " …" : ""}`;
}

// explorer/browser/sentence_bar/menu.ts
var MAX_CHIPS = 96;
var Menu = class {
  constructor(choosing) {
    this.choosing = choosing;
    this.node.addEventListener("mousedown", (event) => event.preventDefault());
  }
  reason = el("span", { id: "reason" });
  counter = el("span", { class: "counter", id: "counter" });
  preview = el("div", { class: "preview", "aria-label": "Tokens" });
  repairs = el("div", { class: "repairs" });
  said = el(
    "div",
    { class: "said" },
    el("p", { class: "verdict" }, this.reason, this.counter),
    this.preview,
    this.repairs
  );
  reference = el("p", { class: "reference" });
  list = el("div", {
    class: "options",
    id: "options",
    role: "listbox",
    "aria-label": "Examples and completions"
  });
  node = el("div", { class: "menu" }, this.said, this.list, this.reference);
  draw(state) {
    const { data, reader, reading, options, isOpen, isSaying } = state;
    this.node.hidden = !isOpen && !isSaying;
    this.said.hidden = !isSaying;
    this.reason.textContent = isSaying ? reading.sentence : "";
    this.counter.textContent = countOf(reading.tokens, reader);
    this.counter.classList.toggle("over", reading.tokens.length > reader.most);
    this.preview.hidden = !isOpen;
    if (reading.tokens.length)
      this.preview.role = "list";
    else this.preview.removeAttribute("role");
    this.preview.replaceChildren(
      ...reading.tokens.length ? tokenChips(reading.tokens, reader) : [words("p", hintOf(reader, data.words), "hint")]
    );
    this.repairs.replaceChildren(...this.mending(reading));
    this.list.hidden = !isOpen || !options.length;
    this.list.replaceChildren(...isOpen ? options.map((option, at) => this.row(option, at, state)) : []);
    this.list.children[state.active]?.scrollIntoView({ block: "nearest" });
    this.reference.hidden = !isOpen || isSaying || !data.reference;
    this.reference.textContent = safe(data.reference);
  }
  /** Buttons that mend the first unknown token: one for each near word, or one that takes it away. */
  mending({ unknown, near = [] }) {
    if (!unknown) return [];
    const repair = (text, label, word) => button({ class: "repair", text, "aria-label": label }, () => this.choosing.mend(unknown, word));
    if (!near.length) return [repair("Remove it", `Remove ${seen(unknown.text)}`, "")];
    return near.map((word) => repair(word, `Replace ${seen(unknown.text)} by ${word}`, word));
  }
  row(option, at, { reading, active }) {
    const row = el("div", {
      class: option.kind,
      role: "option",
      id: `option-${at}`,
      "aria-selected": at === active
    });
    if (option.kind === "completion") {
      const typed = reading.word?.prefix.length ?? 0;
      row.ariaLabel = option.word;
      row.append(
        words("span", option.word.slice(0, typed), "typed"),
        words("span", option.word.slice(typed), "added")
      );
    } else row.append(words("b", option.source), words("i", option.title), words("span", option.why));
    row.addEventListener("click", () => this.choosing.choose(option));
    return row;
  }
};
function tokenChips(tokens, reader) {
  const shown = tokens.slice(0, Math.min(reader.most + 12, MAX_CHIPS));
  const nodes = shown.map(({ text, state, isOver }) => {
    const chip = el(
      "span",
      { class: `token ${state}${isOver ? " over" : ""}`, role: "listitem" },
      words("bdi", seen(text))
    );
    if (state === "unknown") chip.append(words("span", "unknown", "state"));
    return chip;
  });
  const rest = tokens.length - shown.length;
  return rest ? [...nodes, words("span", `and ${formatCount(rest)} more`, "rest")] : nodes;
}

// explorer/browser/sentence_bar/field.ts
var ANNOUNCE_AFTER = 800;
var MESSAGE_AFTER = 600;
var Field = class {
  /** submit: gives a text to Python. */
  constructor(submit) {
    this.submit = submit;
    const { input } = this;
    input.addEventListener("input", () => this.typed(true));
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("keyup", ({ key }) => {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) this.rest(this.isOpen);
    });
    input.addEventListener("click", () => this.rest(true));
    input.addEventListener("scroll", () => {
      this.mirror.scrollLeft = input.scrollLeft;
    });
    input.addEventListener("focus", () => {
      this.isFocused = true;
      this.rest(true);
    });
    input.addEventListener("blur", () => {
      this.isFocused = false;
      this.rest(false);
    });
    this.node.addEventListener("keydown", (event) => {
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
  }
  input = el("input", {
    type: "text",
    dir: "auto",
    role: "combobox",
    "aria-controls": "options",
    "aria-describedby": "counter reason",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "go"
  });
  mirror = el("div", { class: "mirror", dir: "auto", "aria-hidden": "true" });
  menu = new Menu({
    choose: (option) => this.choose(option),
    mend: (token, word) => this.put(token, word)
  });
  announcement = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
  node = el(
    "div",
    { class: "field" },
    this.input,
    this.mirror,
    words("span", "▾", "caret"),
    this.menu.node,
    this.announcement
  );
  data;
  reader;
  reading;
  isOpen = false;
  // whether there is something to choose under it
  isCompleting = false;
  // whether the person's last act asked for completions
  active = -1;
  // the option that is chosen among them
  isFocused = false;
  isInsisted = false;
  // whether they tried to run this very text
  submitted = null;
  // the text that Python was given, while this is what its next message is about
  answered = null;
  // the text that Python's message is about
  announcing = 0;
  answering = 0;
  /** Leads into the field, whose text is to be another one. */
  focus() {
    this.input.focus();
    this.input.select();
  }
  // ---- what Python sends ---------------------------------------------------------------------------------------
  /** Takes a message; keeps what the person is typing unless Python named a new value. */
  take(data) {
    const before = this.data, { input } = this;
    const isFresh = before?.value_id !== data.value_id, isNews = before?.message !== data.message;
    if (before?.value !== data.value) this.submitted = null;
    this.data = data;
    this.reader = readerOf(data);
    input.ariaLabel = data.label;
    input.placeholder = data.placeholder;
    input.setAttribute("aria-autocomplete", hasWords(this.reader) ? "list" : "none");
    if (isFresh) {
      input.value = data.value;
      Object.assign(this, { isInsisted: false, isOpen: false, isCompleting: false, active: -1 });
    }
    if (isNews || isFresh) {
      clearTimeout(this.answering);
      this.answered = !isFresh && this.submitted || this.text;
      this.submitted = null;
    }
    this.draw();
    if ((isNews || isFresh) && before) this.announce();
  }
  /** Gives up what waits for a rest. */
  leave() {
    clearTimeout(this.announcing);
    clearTimeout(this.answering);
  }
  // ---- drawing -------------------------------------------------------------------------------------------------
  get text() {
    return this.input.value.normalize("NFC");
  }
  /** Whether the field holds the text whose output stands beside it. */
  get isShown() {
    return collapse(this.text, this.reader) === this.data.value;
  }
  get isObjecting() {
    return this.reading.kind === "error" || this.reading.sentence !== "" && this.reading.sentence === this.data.message;
  }
  draw() {
    const { input, data, reader } = this;
    const caret = input.value.slice(0, input.selectionEnd ?? input.value.length).normalize("NFC").length;
    const { isFocused, isInsisted, text } = this;
    this.reading = judge(
      { text, caret, isFocused, isInsisted, answer: text === this.answered ? data.message : "" },
      reader
    );
    const isWrong = this.isObjecting;
    input.setAttribute("aria-invalid", String(isWrong));
    this.node.classList.toggle("objecting", isWrong);
    const pieces = marked(this.reading), isMarked = pieces.some(({ isUnknown }) => isUnknown);
    this.mirror.replaceChildren(
      ...(isMarked ? pieces : []).map((piece) => words(piece.isUnknown ? "u" : "span", piece.text))
    );
    this.mirror.scrollLeft = input.scrollLeft;
    this.drawMenu();
    clearTimeout(this.announcing);
    this.announcing = window.setTimeout(() => this.announce(), ANNOUNCE_AFTER);
  }
  drawMenu() {
    const { data, reader, reading, active, isOpen } = this, options = this.options();
    const isSaying = this.isObjecting || isOpen && !(reading.kind === "ready" && this.isShown);
    this.menu.draw({ data, reader, reading, options, active, isOpen, isSaying });
    this.input.setAttribute("aria-expanded", String(isOpen && options.length > 0));
    if (isOpen && options[active]) this.input.setAttribute("aria-activedescendant", `option-${active}`);
    else this.input.removeAttribute("aria-activedescendant");
  }
  /** Words that go on from what is typed, where that was the last thing done; the examples otherwise. */
  options() {
    if (!this.isOpen) return [];
    const { matches } = this.reading;
    if (this.isCompleting && matches.length) return matches.map((word) => ({ kind: "completion", word }));
    return this.data.examples.map((example) => ({ kind: "example", ...example }));
  }
  announce() {
    const { sentence, near = [], tokens } = this.reading;
    this.announcement.textContent = sentence ? `${sentence} ${near.join(", ")}` : countOf(tokens, this.reader);
  }
  // ---- what the person does ------------------------------------------------------------------------------------
  choose(option) {
    if (option.kind === "completion") return this.accept(option.word);
    this.input.value = option.source;
    this.run();
  }
  accept(match) {
    const { word, text } = this.reading;
    if (!word) return;
    const blank = match.endsWith("'") || text.slice(word.end).startsWith(" ") ? "" : " ";
    this.put({ ...word, text: word.prefix }, match + blank);
  }
  /** Puts a word in the place of a token, with the caret after it. */
  put(token, word) {
    const { input, reader, text } = this;
    const after = mended(text, token, word, reader);
    input.value = after.text;
    input.focus();
    input.setSelectionRange(after.caret, after.caret);
    this.typed(false);
  }
  typed(isCompleting) {
    Object.assign(this, { isOpen: true, isCompleting, isInsisted: false, active: -1 });
    this.draw();
    const isHalf = this.reading.tokens.some(({ state }) => state === "unfinished");
    if (isCompleting && isHalf && this.reading.matches.length) this.point(0);
  }
  point(active) {
    this.active = active;
    this.drawMenu();
  }
  /** The caret has moved, or the focus: nothing is being completed any more. */
  rest(isOpen) {
    Object.assign(this, { isOpen, isCompleting: false, active: -1 });
    this.draw();
  }
  run() {
    this.isInsisted = true;
    this.rest(false);
    this.announce();
    if (!isRunnable(this.reading)) return this.input.focus();
    this.submitted = this.reading.text;
    this.submit(collapse(this.reading.text, this.reader));
    clearTimeout(this.answering);
    this.answering = window.setTimeout(() => {
      this.answered = this.submitted ?? this.answered;
      this.draw();
    }, MESSAGE_AFTER);
  }
  onKey(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.move(step);
    else if (event.key === "Enter" || event.key === "Tab" && !event.shiftKey) {
      const chosen = this.options().at(this.active);
      const isChosen = this.active >= 0 && chosen !== void 0;
      if (event.key === "Tab" && (!isChosen || chosen.kind === "example")) return;
      if (isChosen) this.choose(chosen);
      else this.run();
    } else if (event.key === "Escape" && this.isOpen) this.rest(false);
    else if (event.key === "Escape" && !this.isShown) this.takeBack();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  move(step) {
    if (!this.isOpen || this.active < 0) this.isCompleting = !this.isShown;
    this.isOpen = true;
    const { length } = this.options();
    if (length) this.point(((this.active < 0 && step < 0 ? 0 : this.active) + step + length) % length);
  }
  /** The text whose output stands beside the field again. */
  takeBack() {
    this.input.value = this.data.value;
    this.isInsisted = false;
    this.rest(false);
  }
};

// explorer/browser/shared/keys.ts
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
function actOn(event, acts) {
  const act = acts[event.key];
  if (!act || isShortcut(event) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

// explorer/browser/shared/chips.ts
var Chips = class {
  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(label, chips, choose) {
    this.chips = chips;
    this.choose = choose;
    chips.forEach((chip, place) => chip.addEventListener("click", () => choose(place)));
    this.node = el("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }
  node;
  checked = 0;
  onKey(event) {
    const { checked } = this, to = (place) => () => this.choose(place), back = to(checked - 1), onward = to(checked + 1);
    actOn(event, {
      ArrowLeft: back,
      ArrowUp: back,
      ArrowRight: onward,
      ArrowDown: onward,
      Home: to(0),
      End: to(this.chips.length - 1)
    });
  }
  /** Marks one as chosen; it alone is reached by the Tab key, or the first where none is. */
  check(place) {
    this.checked = place;
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === place));
      chip.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }
  focus(place) {
    this.chips[place].focus();
  }
};

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
}

// explorer/browser/sentence_bar/output.ts
function chipsAt({ tokens, probs, forced, greedy, judged }, step) {
  return tokens.map((token, t) => {
    const isForced = forced[t], other = greedy[t] === token || greedy[t] === void 0 ? "" : visible(greedy[t]);
    const isWrong = judged?.wrong[t] ?? false, kind = t < step ? "written" : t === step ? "now" : "later";
    const title = `step ${t}, P ${formatProbability(probs[t])}${isForced ? ", forced" : ""}${isWrong ? ", not as it should be" : ""}${other ? `; by itself ${other}` : ""}`;
    return { text: visible(token), kind, isForced, isWrong, title, greedy: other };
  });
}
var OutputRow = class {
  constructor(pointing) {
    this.pointing = pointing;
  }
  node = el("div", { class: "output" });
  output = null;
  nodes = [];
  chips = null;
  step = -2;
  /** Another output, or none. */
  take(output) {
    if (JSON.stringify({ ...output, step: 0 }) === JSON.stringify({ ...this.output, step: 0 })) return;
    const hadFocus = this.node.contains(focusBeside(this.node));
    this.output = output;
    this.nodes = output ? chipsAt(output, 0).map((chip, t) => this.build(chip, t)) : [];
    this.chips = output && new Chips("Output, choose a step", this.nodes, (step) => this.pointing.choose(step));
    if (output)
      chipsAt(output, 0).forEach(({ greedy }, t) => {
        if (greedy) above(this.nodes[t], greedy);
      });
    const rest = output ? output.greedy.slice(output.tokens.length).map((token) => words("span", clip(visible(token), 24), "greedy end")) : [];
    const isBranched = Boolean(output?.forced.includes(true)), should = output && !isBranched ? shouldBe(output) : [];
    this.node.classList.toggle("branched", isBranched);
    this.node.classList.toggle("differing", should.length > 0);
    this.node.replaceChildren(...this.chips ? [this.chips.node, ...rest, ...should] : []);
    this.step = -2;
    if (hadFocus) this.show(output?.step ?? 0, true);
  }
  build({ text, isForced, isWrong, title }, t) {
    const chip = el(
      "button",
      { type: "button", class: "chip", role: "radio", title },
      words("span", clip(text, 24), "word")
    );
    if (isForced) chip.append(words("span", ", forced", "unseen"));
    chip.classList.toggle("forced", isForced);
    chip.classList.toggle("wrong", isWrong);
    const point = () => this.pointing.point({ side: "target", place: t }), end = () => this.pointing.point(null);
    chip.addEventListener("pointerenter", point);
    chip.addEventListener("pointerleave", end);
    chip.addEventListener("focus", point);
    chip.addEventListener("blur", end);
    return chip;
  }
  /** Marks the step; the focus goes along where it is on a chip. */
  show(step, takesFocus = this.node.contains(focusBeside(this.node))) {
    if (!this.output || !this.chips || step === this.step) return;
    this.step = step;
    chipsAt(this.output, step).forEach(({ kind }, t) => {
      for (const each of ["written", "now", "later"])
        this.nodes[t].classList.toggle(each, each === kind);
    });
    this.chips.check(step);
    if (takesFocus) this.nodes[Math.max(0, step)]?.focus({ preventScroll: true });
    this.reveal();
  }
  /** Keeps the current chip in view: its row scrolls, the page does not. */
  reveal() {
    const chip = this.nodes[Math.max(0, this.step)], { node } = this;
    if (!chip || node.scrollWidth <= node.clientWidth) return;
    const place = chip.getBoundingClientRect(), row = node.getBoundingClientRect();
    node.scrollLeft += place.left - row.left - (row.width - place.width) / 2;
  }
  /** Gives the chip of a token a ring. */
  ring(token) {
    this.nodes.forEach(
      (chip, t) => chip.classList.toggle("ringed", token?.side === "target" && token.place === t)
    );
  }
};
function shouldBe({ judged }) {
  if (judged?.verdict !== "wrong") return [];
  const tokens = judged.should.flatMap((token, t) => [
    " ",
    words(judged.missing[t] ? "b" : "span", clip(visible(token), 24))
  ]);
  return [el("span", { class: "should" }, "should be:", ...tokens)];
}
function above(chip, greedy) {
  const place = el("span", { class: "branch", role: "presentation" });
  chip.replaceWith(place);
  place.append(chip, el("span", { class: "greedy", "aria-hidden": "true", text: clip(greedy, 24) }));
}

// explorer/browser/sentence_bar/player.ts
var ICONS = {
  first: "M3 2v10M12 2 5.5 7 12 12Z",
  back: "M10.5 2 3.5 7l7 5Z",
  play: "M4 2l8 5-8 5Z",
  pause: "M4.5 2.5v9M9.5 2.5v9",
  forward: "M3.5 2l7 5-7 5Z",
  last: "M11 2v10M2 2l6.5 5L2 12Z"
};
var SPEEDS = [
  ["½", 0.5],
  ["1", 1],
  ["2", 2]
];
function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 14 14", "aria-hidden": "true", class: name },
    svg("path", { d: ICONS[name] })
  );
}
var Player = class {
  /** ask: for what is pressed. */
  constructor(ask) {
    this.ask = ask;
    this.play.append(icon("pause"));
  }
  moment = { step: 0, isPlaying: false, speed: 1 };
  last = 0;
  first = this.button("first", "First step", () => this.go(0));
  back = this.button("back", "Step back", () => this.go(this.moment.step - 1));
  play = this.button("play", "Play", () => this.ask({ do: "toggle" }));
  forward = this.button("forward", "Step forward", () => this.go(this.moment.step + 1));
  end = this.button("last", "Last step", () => this.go(this.last));
  speeds = new Chips(
    "Speed",
    SPEEDS.map(
      ([label]) => el("button", { type: "button", role: "radio", text: label, "aria-label": `Speed ${label}` })
    ),
    (place) => this.setSpeed(place)
  );
  node = el(
    "div",
    { class: "player", role: "group", "aria-label": "Player" },
    this.first,
    this.back,
    this.play,
    this.forward,
    this.end,
    this.speeds.node
  );
  button(name, label, act) {
    const node = el(
      "button",
      { type: "button", class: `button ${name}`, "aria-label": label, title: label },
      icon(name)
    );
    node.addEventListener("click", () => {
      if (node.ariaDisabled !== "true") act();
    });
    return node;
  }
  go(step) {
    this.ask({ do: "go", step });
  }
  setSpeed(place) {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, place)), root = this.speeds.node.getRootNode();
    this.ask({ do: "speed", speed: SPEEDS[at][1] });
    if (this.speeds.node.contains(root.activeElement)) this.speeds.focus(at);
  }
  /** last: the last step; -1 where there is no output. */
  show(moment, last) {
    Object.assign(this, { moment, last });
    const { step, isPlaying, speed } = moment, label = isPlaying ? "Pause" : "Play";
    this.play.classList.toggle("on", isPlaying);
    this.play.ariaLabel = this.play.title = label;
    this.speeds.check(SPEEDS.findIndex(([, each]) => each === speed));
    for (const node of [this.first, this.back]) node.ariaDisabled = String(step <= 0 || last < 0);
    for (const node of [this.forward, this.end]) node.ariaDisabled = String(step >= last);
    this.play.ariaDisabled = String(last < 1);
  }
};

// explorer/browser/shared/choices.ts
function makeChoices(same) {
  const told = /* @__PURE__ */ new Map();
  let known = null, said = null, report = 0;
  const knownAt = (named) => told.get(named) ?? said;
  return {
    get report() {
      return report;
    },
    isKnown: (choice) => known !== null && same(choice, known),
    tell(choice) {
      known = choice ?? known;
      told.set(report = reportAfter(report), known);
      return report;
    },
    knownAt,
    hear(choice, named, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named);
      const keeps = fresh && possible && before !== null && alike(choice, before) && (named < report || pending);
      const follows = !keeps && (fresh || named >= report && !(known !== null && same(choice, known)));
      said = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named) told.delete(earlier);
      return keeps ? "keep" : follows ? "follow" : "";
    }
  };
}

// explorer/browser/sentence_bar/steps.ts
var STEP_MS = 1200;
var REST_MS = 400;
var Steps = class {
  constructor(acts) {
    this.acts = acts;
  }
  own = { step: 0, isPlaying: false, speed: 1 };
  followed = null;
  last = 0;
  clock = 0;
  resting = 0;
  choices = makeChoices((one, other) => one === other);
  get now() {
    return this.followed ?? this.own;
  }
  get isFollowing() {
    return this.followed !== null;
  }
  /** A view of the page plays from now on; null where none does any more, and the bar goes on from there. */
  follow(moment) {
    const wished = !this.followed && moment && this.resting ? this.own.step : null;
    this.stop();
    clearTimeout(this.resting);
    this.resting = 0;
    if (this.followed && !moment) {
      this.own = { ...this.followed, step: Math.max(0, this.followed.step), isPlaying: false };
      this.rest();
    }
    this.followed = moment;
    this.acts.show(this.now);
    if (wished !== null && wished !== moment?.step) this.acts.lead(wished);
  }
  /** Another message of Python: isOther where it is about another output than the one before. */
  hear({ tokens, step }, named, isOther) {
    this.last = tokens.length - 1;
    const verdict2 = this.choices.hear(step, named, {
      fresh: isOther,
      possible: false,
      pending: this.resting !== 0
    });
    if (verdict2 !== "follow") return;
    this.stop();
    clearTimeout(this.resting);
    this.resting = 0;
    this.own = { ...this.own, step };
  }
  /** What a view that plays would be asked for. */
  obey(command) {
    if (command.do === "speed") this.own = { ...this.own, speed: command.speed };
    else if (command.do === "toggle" && !this.own.isPlaying) this.play();
    else {
      this.stop();
      if (command.do === "go")
        this.own = { ...this.own, step: Math.min(this.last, Math.max(0, command.step)) };
      this.rest();
    }
    if (this.own.isPlaying) this.tick();
    this.acts.show(this.now);
  }
  /** Nothing is waited for any more. */
  leave() {
    clearTimeout(this.clock);
    clearTimeout(this.resting);
  }
  play() {
    clearTimeout(this.resting);
    const step = this.own.step >= this.last ? 0 : this.own.step;
    this.own = { ...this.own, step, isPlaying: this.last > 0 };
  }
  tick() {
    clearTimeout(this.clock);
    this.clock = window.setTimeout(() => {
      this.own = { ...this.own, step: this.own.step + 1 };
      if (this.own.step < this.last) this.tick();
      else {
        this.stop();
        this.rest();
      }
      this.acts.show(this.now);
    }, STEP_MS / this.own.speed);
  }
  stop() {
    clearTimeout(this.clock);
    this.own = { ...this.own, isPlaying: false };
  }
  rest() {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.resting = 0;
      const { step } = this.own;
      if (!this.choices.isKnown(step)) this.acts.report(step, this.choices.tell(step));
    }, REST_MS);
  }
};

// explorer/browser/sentence_bar/verdict.ts
var SIGNS = { right: "✓", wrong: "≠", unknown: "?" };
var VerdictLabel = class {
  node = el("div", { class: "judged" });
  /** Another message of Python; without an output there is nothing to judge. */
  take({ output, reference }) {
    const judged = output?.judged;
    this.node.hidden = !judged;
    if (!judged) return;
    this.node.dataset.verdict = judged.verdict;
    this.node.title = reference;
    const sign = words("b", SIGNS[judged.verdict]);
    sign.ariaHidden = "true";
    this.node.replaceChildren(sign, words("span", judged.label));
  }
};

// explorer/browser/sentence_bar/view.ts
var SentenceBar = class {
  constructor(root, signal) {
    this.root = root;
    const { field, row, verdict: verdict2, player } = this;
    root.role = "group";
    root.ariaLabel = "Sentence and steps";
    const arrow = words("span", "→", "arrow");
    arrow.ariaHidden = "true";
    root.replaceChildren(field.node, arrow, row.node, verdict2.node, player.node);
    onTold("moment", (moment) => this.steps.follow(moment), signal);
    onTold("token", (token) => row.ring(token), signal);
    onTold(
      "command",
      (command) => {
        if (command.do === "type") field.focus();
      },
      signal
    );
    onResize(root, () => row.reveal(), signal);
  }
  field = new Field((text) => this.submit(text));
  row = new OutputRow({
    choose: (step) => this.ask({ do: "go", step }),
    point: (token) => tell("token", token)
  });
  verdict = new VerdictLabel();
  player = new Player((command) => this.ask(command));
  steps = new Steps({
    show: (moment) => this.show(moment),
    // After the view has said all that it says as it comes.
    lead: (step) => {
      queueMicrotask(() => tell("command", { do: "go", step }));
    },
    report: (step, report) => this.send("view", { key: this.data?.key, step, report })
  });
  data = null;
  send = () => void 0;
  submitted = 0;
  update({ data: bytes, setStateValue }) {
    this.send = setStateValue;
    this.root.dataset.look = themeOf(this.root);
    const data = readBar(bytes), isOther = this.data?.key !== data.key;
    this.data = data;
    if (data.submitted >= this.submitted) this.root.classList.remove("awaiting");
    this.field.take(data);
    this.verdict.take(data);
    if (data.output) {
      this.row.take(data.output);
      this.steps.hear(data.output, data.report, isOther);
    } else if (isOther) this.row.take(null);
    this.show(this.steps.now);
  }
  dispose() {
    this.field.leave();
    this.steps.leave();
  }
  submit(text) {
    this.submitted = reportAfter(Math.max(this.submitted, this.data?.submitted ?? 0));
    this.root.classList.add("awaiting");
    this.send("submission", { text, report: this.submitted });
  }
  ask(command) {
    if (this.steps.isFollowing) tell("command", command);
    else this.steps.obey(command);
  }
  show(moment) {
    this.row.show(moment.step);
    this.row.node.classList.toggle("running", moment.isRunning === true);
    this.player.show(moment, (this.data?.output?.tokens.length ?? 0) - 1);
  }
};
var view_default = mounted(".sentence-bar", (root, signal) => new SentenceBar(root, signal));
export default view_default;
