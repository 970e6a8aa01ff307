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

const calls = new WeakMap<object, object>();   // root -> its newest call
/** What the call of a view returns: while the script loads, Streamlit ends an earlier call only after the next one. */
export function endedByLastCall(root: object, end: () => void): () => void {
  const call = {};
  calls.set(root, call);
  return () => { if (calls.get(root) === call) end(); };
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
    view.update(component);
    return endedByLastCall(root, () => {
      views.delete(root);
      view.dispose();
    });
  };
}
