// The step among all, and what folds a card's details away.

/** Words of the button that shows the details of a card. */
const DETAILS = { closed: "More", open: "Less" };

function buildWhere(view) {
  const { trace } = view, stepText = el("b"), ofText = el("span");
  const node = el("p", { class: "where" }, el("span", { class: "place" }, stepText, ofText));
  function step() {
    const t = view.state.step;
    setText(stepText, `Step ${t}`);
    setText(ofText, `, ${t + 1} of ${plural(trace.steps, "token")}`);
  }
  return { node, step };
}
