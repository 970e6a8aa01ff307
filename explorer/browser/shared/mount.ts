// How Streamlit mounts a component: it calls the default export on every new message, and again when its theme changes.

import { arrive } from "./camera";
import { awaitRoom } from "./resize";

/** What a component's default export gets from Streamlit. */
export interface Component {
  data: Uint8Array;
  parentElement: HTMLElement | ShadowRoot;
  setStateValue: Report;
  setTriggerValue: Report;
}
/** Tells Python of a value, under one of the names that it listens to. */
export type Report = (name: string, value: unknown) => void;
/** A component's default export; it returns what ends it. */
export type Draw = (component: Component) => (() => void) | void;
/** What is shown in one root element, for as long as it is on the page. */
export interface View {
  update(component: Component): void;
  /** What its signal does not end by itself; it is called once that is aborted. */
  dispose?(): void;
}

interface Call {
  show: () => void;
}
const calls = new WeakMap<Component["parentElement"], Call>(); // newest call by its root

/**
 * Show what a call brings; return the function that Streamlit calls to end it.
 *
 * While a script loads, Streamlit ends an earlier call only after it has made the next one, and may make the two in the
 * wrong order. A newest call that ends while its root is on the page had been given up: what was shown before it returns.
 */
export function endedByLastCall(
  root: Component["parentElement"],
  show: () => void,
  end: () => void,
): () => void {
  const before = calls.get(root),
    call = { show };
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

/**
 * Make a component's default export, which creates one view for each root element and passes it every message.
 *
 * selector: of the root in the component's HTML. create: makes the view, whose listeners end with the signal; null while
 * the page has no place for it. What is returned is ended once, after the last call (`endedByLastCall`).
 */
export function mounted(
  selector: string,
  create: (root: HTMLElement, signal: AbortSignal) => View | null,
): (component: Component) => (() => void) | undefined {
  const views = new WeakMap<Element, { view: View; ends: AbortController; since: number }>();
  const made = (root: HTMLElement) => {
    const ends = new AbortController(),
      view = create(root, ends.signal);
    return view && { view, ends, since: performance.now() };
  };
  return (component) => {
    const root = component.parentElement.querySelector<HTMLElement>(selector)!;
    const found = views.get(root) ?? made(root);
    if (!found) return undefined;
    const { view, ends } = found;
    views.set(root, found);
    view.update(component);
    if (!root.clientWidth) awaitRoom(root);
    arrive(root, found.since);
    return () => {
      views.delete(root);
      ends.abort();
      view.dispose?.();
    };
  };
}
