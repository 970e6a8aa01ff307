// Made from mount.ts by "make browser".
const calls = /* @__PURE__ */ new WeakMap();
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
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const view = views.get(root) ?? create(root);
    if (!view) return void 0;
    views.set(root, view);
    return endedByLastCall(root, () => {
      view.update(component);
    }, () => {
      views.delete(root);
      view.dispose();
    });
  };
}
