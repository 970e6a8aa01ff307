// The links of the navigation bar, which the head of a page repeats.

import { answered, opensKin } from "../screen/screen";
import { hrefOf, isPlain } from "./address";

export type Link = [title: string, address: string, line: string, query: number];
export type Places = [name: string, links: Link[]][];

let places: Places = [],
  queries: Record<string, string> = {};
const listeners = new Set<() => void>();

/** Return the choices in the links to pages, by the pages' addresses. */
export const linked = (): Record<string, string> => queries;

/** Keep what the bar has been given. */
export function keepLinks(given: Places, distinct: string[]): void {
  places = given;
  queries = Object.fromEntries(
    given.flatMap(([, links]) => links.map(([, address, , query]) => [address, distinct[query]])),
  );
  for (const listener of listeners) listener();
}

/** Call whenever the links change. */
export function onLinks(call: () => void, signal: AbortSignal): void {
  listeners.add(call);
  signal.addEventListener("abort", () => listeners.delete(call));
}

/** Return where the link to a page leads. */
export const linkTo = (address: string): string => hrefOf(address, queries[address] ?? "");

/** Return the place of a page; undefined for an address that is in no menu. */
export function placeOf(address: string): Places[number] | undefined {
  return places.find(([, links]) => links.some((link) => link[1] === address));
}

/** Open the page of a link that has been clicked, unless the click is for another tab. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || event.defaultPrevented || !isPlain(event)) return;
  event.preventDefault();
  const box = link.closest<HTMLElement>("[popover]");
  box?.hidePopover();
  // After a click, keys belong to the page that opens. After a key press, the focus stays near the link.
  if (event.detail > 0) (document.activeElement as HTMLElement | null)?.blur();
  else (box?.previousElementSibling as HTMLElement | undefined)?.focus();
  // Without a connection the address would change and no page would open.
  if (
    document.querySelector("[data-test-connection-state]")?.getAttribute("data-test-connection-state") !==
    "CONNECTED"
  )
    return;
  void open(link);
}

async function open(link: HTMLAnchorElement): Promise<void> {
  // The link must carry a choice made a moment ago.
  await answered();
  if (opensKin(link.href)) return;
  if (link.href !== location.href) history.pushState({}, "", link.href);
  // Streamlit opens the page of an address on this event.
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
