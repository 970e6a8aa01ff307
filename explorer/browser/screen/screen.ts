// Pages that update by requests. A report of a component becomes one request; the answer has the new address and the
// messages of all components. Streamlit draws such a page first. Later it draws only the rest of the page, and only when
// the visitor turns to that. Pages of one layout follow each other in the same way.

import { isPlain } from "../navigation/address";
import { holdPicture } from "../shared/camera";
import { readJson } from "../shared/message";
import { endedByLastCall } from "../shared/mount";
import type { Component, Draw } from "../shared/mount";
import { tellWhatRests } from "../shared/resting";
import { fetchAnswer } from "./answer";
import type { Answer, Last } from "./answer";
import { endBelow, hideBelow, hideLeft, showBelow, whenDrawn } from "./below";
import { saveFile } from "./file";
import { naming } from "./naming";
import { baseOf, pageAt, pageIn, sameAddress } from "./place";
import { Waiting } from "./waiting";

/** Description of such a page. pages: its addresses. parts: paths of its modules. route: address of the requests. kin: itself and the pages that can take its place without Streamlit, by address, and whether Streamlit draws anything below their pictures. */
export interface Screen {
  pages: string[];
  parts: string[];
  route: string;
  kin: Record<string, boolean>;
}

interface Part {
  component: Component;
  draw: Draw;
  end: ReturnType<Draw>;
}
interface Asked {
  part: string;
  event: string;
  report: unknown;
}

const STREAMLITS_OWN =
  "a, button, input, textarea, label, summary, [role=button], [role=radio], [role=slider], [role=combobox], [role=option]";

// Parts of the state that Streamlit draws, and would have to draw again for another page.
const STREAMLITS_OTHERS = ".st-key-notices";

// Streamlit's own download could be of the address that it drew last.
const WORKSHEET = { part: "worksheet", place: ".st-key-worksheet" };

const RUNNING = "[data-test-script-state=running]",
  WAIT_MS = 20,
  WAITS = 100;

const SLOW: Asked = { part: "slow", event: "", report: {} },
  REST_MS = 200;

const OPENING: Asked = { part: "", event: "open", report: {} };

const EXPLANATION = "browser/explain_panel/panel";
const NAVIGATION = "browser/navigation/bar";
const LINKS: Asked = { part: "links", event: "", report: {} };

const parts = new Map<string, Part>();
const answers = new Map<string, Uint8Array>(); // messages that are newer than Streamlit's, also of parts to be drawn
const asked: Asked[] = [];
const last: Last = { views: 0, box: 0 };
const told: Last = { views: 0, box: 0 }; // the last reports that have led to an address that Streamlit has heard of
// Queries at which pages were left of which Streamlit knows an older one, by addresses; its links lead to that.
const left: Record<string, string> = {};
const waiting = new Waiting();
let screen: Screen | null = null,
  here: string | null = null, // address of the page that is shown
  path = "", // path of that page, or of the next one while it opens; empty before the first
  known: string | null = null, // address of the page that Streamlit has drawn last
  linksOf: () => Record<string, string> = () => ({}),
  query = "", // query of the address in the last answer
  isCorrecting = false, // the links of the navigation bar are asked for
  isAsking = false,
  rest: ReturnType<typeof setTimeout> | undefined,
  isSlow = false, // the request under way is for slow components
  isAhead = false, // Streamlit knows an older address
  isNew = false, // the page has taken another's place, and nothing of it has been shown
  isTelling = false,
  isOwed = false, // Streamlit is to be told after the next answer
  isPushing = false, // the browser itself writes an address into its history
  current: AbortController | null = null; // stops the request that is under way
const owed: (() => void)[] = []; // calls to Streamlit that wait until it knows the page
const early: (() => void)[] = []; // reports at an address whose page has not been opened yet

/** Note which page is open, with its description; null for one that Streamlit draws. links: returns the queries of the links, by address. */
export function openScreen(page: string, opened: Screen | null, linked: () => Record<string, string>): void {
  linksOf = linked;
  known = page;
  path = location.pathname;
  // Streamlit may still draw a page that has been left without it.
  const isBehind = opened && !opened.pages.includes(pageAt(opened.route));
  if ((isAhead || isElsewhere()) && isOnScreen() && isBehind) return;
  if (turnTo(page)) hideLeft();
  // Streamlit takes no report for a component of the page that it has not drawn yet.
  if (owed.length) whenDrawn(() => owed.splice(0).forEach(onceKnown));
  if (opened?.pages.join() !== screen?.pages.join()) change(opened);
  early.splice(0).forEach((report) => report());
}

/** Leave the open page for another that Streamlit draws. */
function change(opened: Screen | null): void {
  leave();
  Object.assign(told, last);
  screen = opened;
  if (screen) delete left[screen.pages[0]];
  isAhead = isNew = false;
  endBelow();
  asked.length = 0;
  answers.clear();
  void correctLinks();
}

/** Note the query at which the open page is left, if Streamlit does not know it. */
function leave(): void {
  if (isAhead && screen) left[screen.pages[0]] = query;
}

/** Have the links of the navigation bar lead to where pages were left; until then they stay. */
async function correctLinks(): Promise<void> {
  const before = parts.get(NAVIGATION);
  if (isCorrecting || !before || answers.has(NAVIGATION) || !hasLeft()) return;
  isCorrecting = true;
  const { route } = readJson<{ route: string }>(before.component.data),
    href = location.href,
    isLeft = () => location.href !== href;
  const answer = await fetchAnswer(
    route,
    { ...LINKS, address: location.search.slice(1), links: links(), last },
    { fails: () => undefined, isLeft },
  );
  isCorrecting = false;
  if (isLeft()) return correctLinks();
  const bar = parts.get(NAVIGATION);
  if (bar && !answers.has(NAVIGATION)) show(bar, answer?.messages.get(NAVIGATION) ?? bar.component.data);
}

function hasLeft(): boolean {
  return Object.keys(left).length > 0;
}

function links(): Record<string, string> {
  return { ...linksOf(), ...left };
}

/** Open a page of the same layout without Streamlit; return false if the address is that of another page. */
export function opensKin(href: string): boolean {
  const to = new URL(href);
  if (to.origin !== location.origin || !isOnScreen() || !isKin(to)) return false;
  leave();
  push(href);
  become();
  isAhead = isNew = true;
  asked.length = 0; // they were about the page before
  current?.abort();
  ask(OPENING);
  return true;
}

/** Write an address into the history. */
function push(href: string): void {
  isPushing = true;
  history.pushState({}, "", href);
  isPushing = false;
}

/** Return whether an address that is written into the history is that of a page that has been left meanwhile. */
export function isOutdated(to: URL): boolean {
  return isAhead && !isPushing && isOnScreen() && isKin(to);
}

/** Return whether Streamlit knows another page than the one that is shown: it would take a report for one of that. */
function isElsewhere(): boolean {
  return known !== here;
}

/** Make a call to Streamlit as soon as it has drawn the page that is shown. */
function onceKnown(call: () => void): void {
  if (!isElsewhere()) return call();
  owed.push(call);
  return tellStreamlit();
}

/** Report what has been chosen, and wait for the links that have it; not for ever, since the server may be busy. */
export function answered(): Promise<void> {
  tellWhatRests();
  return waitWhile(() => isAsking && !isSlow);
}

/** Wait until the address holds what is on the screen, as long as for the links. */
export async function settled(): Promise<void> {
  await answered();
  await waitWhile(() => document.querySelector(RUNNING) !== null);
}

async function waitWhile(isBusy: () => boolean): Promise<void> {
  for (let tries = WAITS; tries && isBusy(); tries--) await new Promise((done) => setTimeout(done, WAIT_MS));
}

function isKin({ pathname }: { pathname: string }): boolean {
  const { pages, route, kin } = screen!,
    page = pageIn(pathname, route);
  return !pages.includes(page) && page in kin && !document.querySelector(STREAMLITS_OTHERS);
}

/** Turn to the page of the current address, which is of the same layout as the page before. */
function become(): void {
  path = location.pathname;
  screen = { ...screen!, pages: [pageAt(screen!.route)] };
  delete left[screen.pages[0]];
  query = location.search.slice(1);
  turnTo(screen.pages[0]);
}

/** Begin a page at its top, which the page before may have scrolled away; return false if it is open already. */
function turnTo(page: string): boolean {
  const isOther = here !== null && here !== page;
  if (isOther) document.querySelector(".stMain")?.scrollTo(0, 0);
  here = page;
  return isOther;
}

/** Wrap a view so that it reports by requests on such a page, and to Streamlit elsewhere. */
export function hosted(draw: Draw, path: string): Draw {
  return (component) => {
    const part: Part = { component: reporting(component, path), draw, end: undefined };
    if (!isAhead) answers.delete(path);
    return endedByLastCall(
      component.parentElement,
      () => {
        parts.set(path, part);
        if (path === NAVIGATION && !answers.has(path) && hasLeft()) void correctLinks();
        else show(part, answers.get(path) ?? named(path, component.data));
      },
      () => {
        part.end?.();
        if (parts.get(path) === part) parts.delete(path);
      },
    );
  };
}

/** Return a component that reports by requests on such a page. */
function reporting(component: Component, path: string): Component {
  const report = (way: "setStateValue" | "setTriggerValue") => (name: string, value: unknown) => {
    if (screen && !isOnScreen()) return void early.push(() => parts.get(path)?.component[way](name, value));
    if (screen?.parts.includes(path)) return ask({ part: path, event: name, report: value });
    note(name, value);
    tellStreamlit();
    return onceKnown(() => component[way](name, value));
  };
  return {
    ...component,
    setStateValue: report("setStateValue"),
    setTriggerValue: report("setTriggerValue"),
  };
}

/** Let Streamlit draw the page at the current address, once no answer is awaited any more. */
export function tellStreamlit(): void {
  if (!isAhead) return;
  if (isAsking) {
    isOwed = true;
    return;
  }
  isOwed = isAhead = isNew = false;
  Object.assign(told, last);
  showBelow();
  isTelling = true;
  // Streamlit reads the address on this event.
  dispatchEvent(new PopStateEvent("popstate", { state: history.state as unknown }));
  isTelling = false;
}

/** Show the address to which Back or Forward has led. */
function goBack(): void {
  const isOther = path !== "" && location.pathname !== path;
  if (isOther && !(screen && isKin(location))) holdPicture();
  path = location.pathname;
  if (!screen) return;
  isNew = false;
  current?.abort();
  if (isKin(location)) {
    become();
    hideBelow(false, tellStreamlit);
    showBelow();
  } else if (!isOnScreen()) return;
  // Streamlit draws this address as well, but skips a component whose message equals the last one that it sent.
  isAhead = false;
  Object.assign(told, last);
  asked.length = 0; // they were about the address before
  ask({ part: "", event: "", report: {} });
}

/** Listen for history events, and for interaction with parts that Streamlit draws. */
export function listenForScreen(signal: AbortSignal): void {
  window.addEventListener("popstate", () => void (isTelling || goBack()), { signal });
  for (const name of ["pointerover", "pointerdown", "focusin"])
    document.addEventListener(
      name,
      (event) => {
        if (isAhead && !isWorksheet(event) && isStreamlits(event)) tellStreamlit();
      },
      { capture: true, signal },
    );
  document.addEventListener(
    "click",
    (event) => {
      if (isElsewhere() && isPlain(event) && !isWorksheet(event) && isStreamlits(event)) {
        const target = event.composedPath()[0] as HTMLElement;
        event.preventDefault();
        event.stopImmediatePropagation();
        return onceKnown(() => target.click());
      }
      if (!isOnScreen() || !isWorksheet(event)) return;
      event.preventDefault();
      event.stopPropagation();
      return ask({
        part: WORKSHEET.part,
        event: "download",
        report: { page: location.origin + location.pathname },
      });
    },
    { capture: true, signal },
  );
}

function isOnScreen(): boolean {
  return !!screen?.pages.includes(pageAt(screen.route));
}

function isWorksheet(event: Event): boolean {
  const target = event.target as Element | null;
  return !!target?.closest(`${WORKSHEET.place} button`);
}

function isStreamlits(event: Event): boolean {
  const path = event.composedPath(),
    roots = [...parts].filter(([name]) => screen?.parts.includes(name)).map(([, part]) => part);
  return (
    !roots.some(({ component }) => path.includes(component.parentElement)) &&
    path.some((node) => node instanceof Element && node.matches(STREAMLITS_OWN))
  );
}

/** Remember the number of a report, which later messages name. */
function note(name: string, value: unknown): void {
  const number = (value as { report?: unknown } | null)?.report;
  const series = name === "submission" ? "box" : "views";
  if (typeof number === "number") last[series] = Math.max(last[series], number);
}

/** Return a message of Streamlit's with the last reports that have led to its address. */
function named(path: string, data: Uint8Array): Uint8Array {
  return screen?.parts.includes(path) ? naming(data, told) : data;
}

function show(part: Part, data: Uint8Array): void {
  part.end = part.draw({ ...part.component, data });
}

function ask(what: Asked): void {
  const before = asked.at(-1);
  // A newer look replaces one that still waits.
  if (before && what.event === "view" && before.event === "view" && before.part === what.part) asked.pop();
  asked.push(what);
  if (what.part !== WORKSHEET.part) stopSlow();
  if (!isAsking) void askAll();
}

/** Ask for slow components once nothing else has been done for a moment. */
function askSlow(): void {
  stopSlow();
  rest = setTimeout(() => ask(SLOW), REST_MS);
}

function stopSlow(): void {
  clearTimeout(rest);
  if (isSlow) current?.abort();
}

/** Send the requests one by one, each with the address after the previous answer. */
async function askAll(): Promise<void> {
  isAsking = true;
  waiting.begin();
  for (let next = asked.shift(); next && screen; next = asked.shift())
    await askOne(next, screen).catch((error: unknown) => {
      reportError(error);
      isAhead = isOwed = true;
    });
  waiting.end();
  isAsking = false;
  if (isOwed) tellStreamlit();
}

/** Send a request and show its answer; without one, Streamlit draws the page at the current address. */
async function askOne(next: Asked, asking: Screen): Promise<void> {
  const address = location.search.slice(1),
    page = location.pathname,
    isLeft = () => screen !== asking || location.pathname !== page;
  if (!isOnScreen()) return;
  note(next.event, next.report);
  isSlow = next === SLOW;
  const { signal } = (current = new AbortController());
  const answer = await fetchAnswer(
    asking.route,
    { ...next, address, links: links(), last },
    { fails: () => waiting.fails(), isLeft, signal },
  );
  if (isLeft() || signal.aborted) return;
  if (!answer) isAhead = isOwed = true;
  else if (next.part === WORKSHEET.part) answer.messages.forEach(saveFile);
  else take(answer, next, address);
}

function take(
  { address, opens, isWhole, hasSlow, messages }: Answer,
  { part, event }: Asked,
  before: string,
): void {
  // The visitor has left this address meanwhile, for example by Back.
  if (!sameAddress(location.search.slice(1), before)) return;
  if (hasSlow) askSlow();
  if (!sameAddress(address, before)) {
    const href = `${location.pathname}${address && "?"}${address}`;
    // The whole way from number to number is one step back.
    if (part && part !== EXPLANATION) push(href);
    else history.replaceState(history.state, "", href);
  }
  if (part !== SLOW.part) isAhead = part !== "" || event === OPENING.event;
  query = address;
  for (const [path, message] of messages) {
    const drawn = parts.get(path);
    answers.set(path, message);
    if (drawn) show(drawn, message);
  }
  if (isNew && event === OPENING.event) {
    hideBelow(screen!.kin[pageAt(screen!.route)], tellStreamlit);
    isNew = false;
  }
  if (opens) {
    if (opensKin(new URL(baseOf(screen!.route) + opens, location.origin).href)) return;
    leave();
    isAhead = false;
    push(baseOf(screen!.route) + opens);
    holdPicture();
    path = location.pathname;
    isTelling = true;
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    isTelling = false;
  } else if (!isWhole) tellStreamlit();
}
