// Keeps the browser's history short: the numbers that lead from one explanation to the next are one entry.
//
// Streamlit adds an entry whenever the address changes and knows no other way.

import { isOutdated } from "../screen/screen";

declare global {
  var explorerKeepsHistory: boolean | undefined;
}

export function keepHistoryShort(): void {
  if (globalThis.explorerKeepsHistory) return;
  globalThis.explorerKeepsHistory = true; // for as long as the page is open, also when the component is gone
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, address) => {
    const to = new URL(address ?? "", location.href);
    if (isOutdated(to)) return;
    if (isSameStop(new URL(location.href), to)) history.replaceState(state, unused, address);
    else push(state, unused, address);
  };
}

/** Whether an address differs from another, where a number is explained, in nothing but the way to the number. */
export function isSameStop(from: URL, to: URL): boolean {
  return (
    from.searchParams.has("explain") && from.pathname === to.pathname && withoutWay(from) === withoutWay(to)
  );
}

function withoutWay({ search }: URL): string {
  const query = new URLSearchParams(search);
  query.delete("explain");
  query.sort();
  return query.toString();
}
