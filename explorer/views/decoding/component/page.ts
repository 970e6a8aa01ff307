// What ties the view to the other components of the page: on its page it is the view that plays, and a token that is
// pointed at in one of them is lit in all.

import { Moments, onTold, shareToken } from "../../../browser/shared/bus";
import type { Token } from "../../../browser/shared/bus";
import type { Decoding, Part, Pointed } from "./decoding";

/** Tells the page of the view, and the view of what is asked and pointed at, until the signal ends it. */
export function joinPage(view: Decoding, signal: AbortSignal): Part {
  const { state } = view;
  const moments = new Moments();
  let told = "",
    isHearing = false;

  function moment(): void {
    const now = { step: state.step, isPlaying: state.isPlaying, speed: state.speed },
      said = JSON.stringify(now);
    if (said !== told) moments.tell(now);
    told = said;
  }
  const tellToken = shareToken((token) => {
    isHearing = true;
    view.hover(token && placesOf(view, token));
    isHearing = false;
  }, signal);
  onTold(
    "command",
    (command) => {
      if (command.do === "go") view.go(command.step);
      else if (command.do === "toggle") view.toggle();
      else if (command.do === "speed") view.setSpeed(command.speed);
    },
    signal,
  );
  signal.addEventListener("abort", () => moments.end());
  return {
    step: moment,
    playing: moment,
    hover: () => {
      if (!isHearing) tellToken(tokenOf(view, state.hover));
    },
  };
}

/** The token that a row or a column under the pointer stands for; BOS is none. */
function tokenOf({ plane: { rowSide, columnSide, chipOf } }: Decoding, seen: Pointed | null): Token | null {
  if (seen?.row !== undefined) return { side: rowSide, place: seen.row };
  return seen?.column !== undefined && chipOf(seen.column) >= 0
    ? { side: columnSide, place: chipOf(seen.column) }
    : null;
}

/** The row that a token reads with, the column that it is read in, or both. */
function placesOf(view: Decoding, { side, place }: Token): Pointed | null {
  const { rowSide, columnSide, columnOf } = view.plane;
  const row = side === rowSide && place < view.rowsSeen() ? place : undefined;
  const column = side === columnSide ? columnOf(place) : undefined;
  return row === undefined && column === undefined ? null : { row, column };
}
