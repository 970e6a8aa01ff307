// The field: one line of text that shows, before the model runs, which tokens the model will see.

import { el, words } from "../shared/elements";
import type { Cut } from "./cutting";
import type { BarData, Example } from "./data";
import { Menu } from "./menu";
import type { Option } from "./menu";
import { cleaned, collapse, countOf, hasWords, isRunnable, judge, marked, mended, readerOf } from "./reading";
import type { Reader, Reading } from "./reading";

const ANNOUNCE_AFTER = 800; // ms of rest before a screen reader hears the verdict
const MESSAGE_AFTER = 600; // ms that Python has to take back its last message before it counts for the new text

export class Field {
  private readonly input = el("input", {
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
    enterkeyhint: "go",
  });
  private readonly mirror = el("div", { class: "mirror", dir: "auto", "aria-hidden": "true" });
  private readonly menu = new Menu({
    choose: (option) => this.choose(option),
    mend: (token, word) => this.put(token, word),
  });
  private readonly announcement = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
  readonly node = el(
    "div",
    { class: "field" },
    this.input,
    this.mirror,
    words("span", "▾", "caret"),
    this.menu.node,
    this.announcement,
  );
  private data!: BarData;
  private reader!: Reader;
  private reading!: Reading;
  private isOpen = false; // whether there is something to choose under it
  private isCompleting = false; // whether the person's last act asked for completions
  private active = -1; // the option that is chosen among them
  private isFocused = false;
  private isInsisted = false; // whether they tried to run this very text
  private submitted: string | null = null; // the text that Python was given, while this is what its next message is about
  private answered: string | null = null; // the text that Python's message is about
  private announcing = 0;
  private answering = 0;

  /** submit: gives a text to Python. */
  constructor(private readonly submit: (text: string) => void) {
    const { input } = this;
    input.addEventListener("input", () => {
      this.clean();
      this.typed(true);
    });
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
    // The page's own single-key shortcuts cannot see that a field inside a shadow root has the focus.
    this.node.addEventListener("keydown", (event) => {
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
  }

  /** Leads into the field, whose text is to be another one. */
  focus(): void {
    this.input.focus();
    this.input.select();
  }

  // ---- what Python sends ---------------------------------------------------------------------------------------

  /** Take a message; keep what the person is typing unless Python named a new value. */
  take(data: BarData): void {
    const before = this.data as BarData | undefined,
      { input } = this;
    const id = data.value_id || before?.value_id || "",
      // The value of a sentence that was typed gets its name only later.
      isFresh = before?.value_id !== id && before?.value !== data.value,
      isNews = before?.message !== data.message;
    if (before?.value !== data.value) this.submitted = null; // it was taken
    this.data = { ...data, value_id: id };
    this.reader = readerOf(data);
    input.ariaLabel = data.label;
    input.placeholder = data.placeholder;
    input.setAttribute("aria-autocomplete", hasWords(this.reader) ? "list" : "none");
    if (isFresh) {
      input.value = data.value;
      this.clean();
      Object.assign(this, { isInsisted: false, isOpen: false, isCompleting: false, active: -1 });
    }
    if (isNews || isFresh) {
      clearTimeout(this.answering);
      this.answered = (!isFresh && this.submitted) || this.text;
      this.submitted = null;
    }
    this.draw();
    if ((isNews || isFresh) && before) this.announce();
  }

  /** Remove what the model would never see, such as zero-width spaces of a pasted line. */
  private clean(): void {
    const { input } = this,
      { value, selectionEnd } = input;
    if (cleaned(value) === value) return;
    const caret = cleaned(value.slice(0, selectionEnd ?? value.length)).length;
    input.value = cleaned(value);
    input.setSelectionRange(caret, caret);
  }

  /** Gives up what waits for a rest. */
  leave(): void {
    clearTimeout(this.announcing);
    clearTimeout(this.answering);
  }

  // ---- drawing -------------------------------------------------------------------------------------------------

  private get text(): string {
    return this.input.value.normalize("NFC");
  }
  /** Whether the field holds the text whose output stands beside it. */
  private get isShown(): boolean {
    return collapse(this.text, this.reader) === cleaned(this.data.value).normalize("NFC");
  }
  private get isObjecting(): boolean {
    return (
      this.reading.kind === "error" ||
      (this.reading.sentence !== "" && this.reading.sentence === this.data.message)
    );
  }

  private draw(): void {
    const { input, data, reader } = this;
    const caret = input.value.slice(0, input.selectionEnd ?? input.value.length).normalize("NFC").length;
    const { isFocused, isInsisted, text } = this;
    this.reading = judge(
      { text, caret, isFocused, isInsisted, answer: text === this.answered ? data.message : "" },
      reader,
    );
    const isWrong = this.isObjecting;
    input.setAttribute("aria-invalid", String(isWrong));
    this.node.classList.toggle("objecting", isWrong);
    this.node.classList.toggle("draft", !this.isShown);
    const pieces = marked(this.reading),
      isMarked = pieces.some(({ isUnknown }) => isUnknown);
    this.mirror.replaceChildren(
      ...(isMarked ? pieces : []).map((piece) => words(piece.isUnknown ? "u" : "span", piece.text)),
    );
    this.mirror.scrollLeft = input.scrollLeft;
    this.drawMenu();
    clearTimeout(this.announcing);
    this.announcing = window.setTimeout(() => this.announce(), ANNOUNCE_AFTER);
  }

  private drawMenu(): void {
    const { data, reader, reading, active, isOpen } = this,
      options = this.options();
    const isSaying = this.isObjecting || (isOpen && !(reading.kind === "ready" && this.isShown));
    this.menu.draw({ data, reader, reading, options, active, isOpen, isSaying });
    this.input.setAttribute("aria-expanded", String(isOpen && options.length > 0));
    if (isOpen && options[active]) this.input.setAttribute("aria-activedescendant", `option-${active}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** Words that go on from what is typed, where that was the last thing done; the examples otherwise. */
  private options(): Option[] {
    if (!this.isOpen) return [];
    const { matches } = this.reading;
    if (this.isCompleting && matches.length) return matches.map((word) => ({ kind: "completion", word }));
    return this.data.examples.map((example: Example) => ({ kind: "example", ...example }));
  }

  private announce(): void {
    const { sentence, near = [], tokens } = this.reading;
    this.announcement.textContent = sentence
      ? `${sentence} ${near.join(", ")}`
      : countOf(tokens, this.reader);
  }

  // ---- what the person does ------------------------------------------------------------------------------------

  private choose(option: Option): void {
    if (option.kind === "completion") return this.accept(option.word);
    this.input.value = option.source;
    this.run();
  }

  private accept(match: string): void {
    const { word, text } = this.reading;
    if (!word) return;
    // A blank follows, ready for the next word, unless one is there or the word is elided as l' is.
    const blank = match.endsWith("'") || text.slice(word.end).startsWith(" ") ? "" : " ";
    this.put({ ...word, text: word.prefix }, match + blank);
  }

  /** Puts a word in the place of a token, with the caret after it. */
  private put(token: Cut, word: string): void {
    const { input, reader, text } = this;
    const after = mended(text, token, word, reader);
    input.value = after.text;
    input.focus();
    input.setSelectionRange(after.caret, after.caret);
    this.typed(false);
  }

  private typed(isCompleting: boolean): void {
    Object.assign(this, { isOpen: true, isCompleting, isInsisted: false, active: -1 });
    this.draw();
    // With half a word Enter could only be refused, so it takes the first completion; a whole word runs.
    const isHalf = this.reading.tokens.some(({ state }) => state === "unfinished");
    if (isCompleting && isHalf && this.reading.matches.length) this.point(0);
  }

  private point(active: number): void {
    this.active = active;
    this.drawMenu();
  }

  /** The caret has moved, or the focus: nothing is being completed any more. */
  private rest(isOpen: boolean): void {
    Object.assign(this, { isOpen, isCompleting: false, active: -1 });
    this.draw();
  }

  private run(): void {
    this.isInsisted = true;
    this.rest(false);
    // At once: a page that answers may be drawn anew before the person rests.
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

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing) return; // Enter and arrows belong to the input method
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.move(step);
    else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) {
      const chosen = this.options().at(this.active);
      const isChosen = this.active >= 0 && chosen !== undefined;
      // Tab goes on to the next stop, except from a word that it completes.
      if (event.key === "Tab" && (!isChosen || chosen.kind === "example")) return;
      if (isChosen) this.choose(chosen);
      else this.run();
    } else if (event.key === "Escape" && this.isOpen) this.rest(false);
    else if (event.key === "Escape" && !this.isShown) this.takeBack();
    else return;
    event.preventDefault();
    event.stopPropagation(); // an Escape that closed the list must not also close a dialog around it
  }

  private move(step: number): void {
    // The list that is asked for by an arrow is the one of what is being written, if there is any.
    if (!this.isOpen || this.active < 0) this.isCompleting = !this.isShown;
    this.isOpen = true;
    const { length } = this.options();
    if (length) this.point(((this.active < 0 && step < 0 ? 0 : this.active) + step + length) % length);
  }

  /** The text whose output stands beside the field again. */
  private takeBack(): void {
    this.input.value = this.data.value;
    this.isInsisted = false;
    this.rest(false);
  }
}
