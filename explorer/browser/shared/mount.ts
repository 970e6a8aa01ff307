// How Streamlit mounts a component: it calls the default export on every new message, and again when its theme changes.

/** What a component's default export gets from Streamlit. */
export interface Component {
  data: Uint8Array;
  parentElement: HTMLElement | ShadowRoot;
  setStateValue: Report;
  setTriggerValue: Report;
}
/** Tells Python of a value, under one of the names that it listens to. */
export type Report = (name: string, value: unknown) => void;
/** What is shown in one root element, for as long as it is on the page. */
export interface View {
  update(component: Component): void;
  /** What its signal does not end by itself; it is called once that is aborted. */
  dispose?(): void;
}

interface Call {
  show: () => void;
}
const calls = new WeakMap<object, Call>(); // root -> its newest call

/**
 * Shows what a call brings, and returns what ends it.
 *
 * While a script loads, Streamlit ends an earlier call only after it has made the next one. And it may make the two in
 * the wrong order: what is ended while the root is on the page was given up before, and what was shown then comes back.
 */
export function endedByLastCall(
  root: { isConnected?: boolean },
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
 * A component's default export, which makes one view for each root element and hands it every message.
 *
 * selector: of the root in the component's HTML. create: makes the view, whose listeners end with the signal; null while
 * the page has no place for it.
 */
export function mounted(
  selector: string,
  create: (root: HTMLElement, signal: AbortSignal) => View | null,
): (component: Component) => (() => void) | undefined {
  const views = new WeakMap<Element, { view: View; ends: AbortController }>();
  const made = (root: HTMLElement) => {
    const ends = new AbortController(),
      view = create(root, ends.signal);
    return view && { view, ends };
  };
  return (component) => {
    const root = component.parentElement.querySelector<HTMLElement>(selector)!;
    const found = views.get(root) ?? made(root);
    if (!found) return undefined;
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
      },
    );
  };
}
