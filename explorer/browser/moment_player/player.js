// A button, and the patience to ask for the next moment only when the page shows the one before.

const PACE = 900;

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".moment-player");
  root.dataset.look = themeOf(root);
  root.player ??= makePlayer(root);
  root.player.take(JSON.parse(new TextDecoder().decode(data)), setStateValue);
  return endedByLastCall(root, root.player.halt);
}

function makePlayer(root) {
  const sign = svg("path"), name = words("span", "");
  const button = el("button", { type: "button" }, svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, sign), name);
  root.replaceChildren(button);
  let stops = [], shown, ask, asked = null, due = 0, timer = 0, report = 0;

  const playing = () => asked !== null;
  const last = () => stops[stops.length - 1];

  function halt() {
    clearTimeout(timer);
    asked = null;
    draw();
  }
  /** Asks for a stop; the address keeps it only where no other follows. */
  function go(stop) {
    asked = stop;
    due = performance.now() + PACE;
    tell(stop, stop !== last());
  }
  function tell(stop, goes_on) {
    report = reportAfter(report);
    ask("asked", { stop, goes_on, report });
  }
  function next() { go(stops[stops.indexOf(shown) + 1] ?? last()); }

  function press() {
    if (playing()) {
      const stop = asked;
      halt();
      tell(stop, false);
      return;
    }
    if (shown === last()) go(stops[0]);
    else next();
    draw();
  }
  button.addEventListener("click", press);

  function draw() {
    setText(name, playing() ? "Stop" : "Play the training");
    sign.setAttribute("d", playing() ? "M2 2h8v8H2z" : "M2.5 1v10l8-5z");
  }

  function take(message, setStateValue) {
    const before = shown;
    [stops, shown, ask] = [message.stops, message.stop, setStateValue];
    // A message that says nothing new about the moment is of a rerun that began before the question arrived.
    if (playing() && shown !== before) {
      clearTimeout(timer);
      // Somebody has chosen another moment meanwhile, or this was the end.
      if (shown !== asked || shown === last()) asked = null;
      else timer = setTimeout(() => requestAnimationFrame(() => playing() && next()), Math.max(0, due - performance.now()));
    }
    draw();
  }
  return { take, halt };
}
