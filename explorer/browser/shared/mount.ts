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
  dispose(): void;
}

interface Call { show: () => void }
const calls = new WeakMap<object, Call>();   // root -> its newest call

/**
 * Shows what a call brings, and returns what ends it.
 *
 * While a script loads, Streamlit ends an earlier call only after it has made the next one. And it may make the two in
 * the wrong order: what is ended while the root is on the page was given up before, and what was shown then comes back.
 */
export function endedByLastCall(root: { isConnected?: boolean }, show: () => void, end: () => void): () => void {
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

/**
 * A component's default export, which makes one view for each root element and hands it every message.
 *
 * selector: of the root in the component's HTML. create: makes the view; null while the page has no place for it.
 */
export function mounted(selector: string, create: (root: HTMLElement) => View | null): (component: Component) => (() => void) | undefined {
  const views = new WeakMap<Element, View>();
  return (component) => {
    const root = component.parentElement.querySelector<HTMLElement>(selector)!;
    const view = views.get(root) ?? create(root);
    if (!view) return undefined;
    views.set(root, view);
    return endedByLastCall(root, () => { view.update(component); }, () => {
      views.delete(root);
      view.dispose();
    });
  };
}
