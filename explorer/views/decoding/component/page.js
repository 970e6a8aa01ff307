// What ties the view to the other components of the page: on its page it is the view that plays, and a token that is
// pointed at in one of them is lit in all.

/** Tells the page of the view, and the view of what is asked and pointed at, until the signal ends it. */
function joinPage(view, signal) {
  const { state } = view;
  let told = "", isTelling = false, isHearing = false;

  function moment() {
    const now = { step: state.step, isPlaying: state.playing, speed: state.speed }, said = JSON.stringify(now);
    if (said !== told) tell("moment", now);
    told = said;
  }
  /** The token that a row or a column under the pointer stands for; BOS is none. */
  function tokenOf(seen, { rowSide, columnSide, chipOf }) {
    if (seen?.row !== undefined) return { side: rowSide, place: seen.row };
    return seen && chipOf(seen.column) >= 0 ? { side: columnSide, place: chipOf(seen.column) } : null;
  }
  /** The row that a token reads with, the column that it is read in, or both. */
  function placesOf({ side, place }, plane) {
    const found = {};
    if (side === plane.rowSide && place < view.rowsSeen()) found.row = place;
    if (side === plane.columnSide) found.column = plane.columnOf(place);
    return found.row === undefined && found.column === undefined ? null : found;
  }
  function hover() {
    if (isHearing) return;
    isTelling = true;
    tell("token", tokenOf(state.hover, view.plane));
    isTelling = false;
  }
  onTold("token", (token) => {
    if (isTelling || !view.trace) return;
    isHearing = true;
    view.hover(token && placesOf(token, view.plane));
    isHearing = false;
  }, signal);
  onTold("command", (command) => {
    if (!view.trace) return;
    if (command.do === "go") view.go(command.step);
    else if (command.do === "toggle") view.toggle();
    else if (command.do === "speed") view.setSpeed(command.speed);
  }, signal);
  signal.addEventListener("abort", () => tell("moment", null));
  return { step: moment, playing: moment, hover };
}
