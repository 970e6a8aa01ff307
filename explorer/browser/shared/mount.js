// Made from mount.ts by "make browser".
const calls = /* @__PURE__ */ new WeakMap();
function endedByLastCall(root, end) {
  const call = {};
  calls.set(root, call);
  return () => {
    if (calls.get(root) === call) end();
  };
}
function mounted(selector, create) {
  const views = /* @__PURE__ */ new WeakMap();
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const view = views.get(root) ?? create(root);
    if (!view) return void 0;
    views.set(root, view);
    view.update(component);
    return endedByLastCall(root, () => {
      views.delete(root);
      view.dispose();
    });
  };
}
