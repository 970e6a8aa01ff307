// Addresses of pages and of the route.

/** Path below which all pages are served. */
export function baseOf(route: string): string {
  return route.replace(/query$/, "");
}

/** Address of the open page, without base path and query. */
export function pageAt(route: string): string {
  return pageIn(location.pathname, route);
}

/** Address of the page of a path. */
export function pageIn(path: string, route: string): string {
  return path.slice(baseOf(route).length).replace(/\/$/, "");
}

/** Return whether two queries have the same values. */
export function sameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((address) => {
    const choices = new URLSearchParams(address);
    choices.sort();
    return choices.toString();
  });
  return a === b;
}
