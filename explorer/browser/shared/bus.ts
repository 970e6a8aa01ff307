// What the components of one page tell each other at once, without a way through Python.

/** A token of the decoding that the page is about: of the source by its place, of the output by the step that wrote it. */
export interface Token {
  side: "source" | "target";
  place: number;
}
/**
 * What plays the decoding on this page, told whenever it changes. A step of -1 is the encoder's run.
 *
 * isRunning: whether it stands in the middle of the step, whose token is not written yet.
 */
export interface Moment {
  step: number;
  isPlaying: boolean;
  speed: number;
  isRunning?: boolean;
}
/**
 * What somebody asks of whatever plays: to rest at the end of a step, to play or pause, or at another speed; and of the bar,
 * that a sentence may be typed.
 */
export type Command =
  { do: "go"; step: number } | { do: "toggle" } | { do: "speed"; speed: number } | { do: "type" };

/** A number of the model: the place of an axis each in the index, the batch first. */
export interface Term {
  site: string;
  index: number[];
}

/** A row of numbers of the model: the index of its first, with null where an axis is averaged, its length, and what is framed. */
export interface LitRow {
  site: string;
  index: (number | null)[];
  size: number;
  columns: number[];
}
/** What a lesson speaks of on the page: rows of numbers, for the view that draws them. */
export interface Light {
  rows: LitRow[];
}
/**
 * Where a view has drawn the light: an element over each frame, framed cells last, and one without a size beside the row,
 * where a line to it may end without crossing a number.
 */
export interface Lit {
  frames: HTMLElement[];
  end: HTMLElement;
}

/**
 * The kinds of messages.
 *
 * token: somebody points at a token or has it in focus, anywhere on the page; null when that ends.
 * moment: from the view that plays, by `Moments`; null when it leaves the page, or before another view plays.
 * command: for the view that plays. Without one the bar of the sentence moves its own step.
 * term: somebody points at a number among those that the explained one is made of, or has it in focus; null when that
 *   ends. A picture that shows the number may frame it.
 * light: what a lesson speaks of; null where there is none, and from a view in which somebody looks elsewhere.
 * lit: from the view that has drawn the light, whenever its frames are other ones; null when there is none any more.
 * lamp: the light is to go out, or on again.
 */
export interface Messages {
  token: Token | null;
  moment: Moment | null;
  command: Command;
  term: Term | null;
  light: Light | null;
  lit: Lit | null;
  lamp: null;
}

const NAME = "explorer-";

/** Gives the way to tell of the token that is pointed at in a view; what is told so the view itself does not hear. */
export function shareToken(
  hear: (token: Token | null) => void,
  signal: AbortSignal,
): (token: Token | null) => void {
  let isTelling = false;
  onTold(
    "token",
    (token) => {
      if (!isTelling) hear(token);
    },
    signal,
  );
  return (token) => {
    isTelling = true;
    tell("token", token);
    isTelling = false;
  };
}

declare global {
  var explorerMoment: Moment | null | undefined, explorerLight: Light | null | undefined;
}

/** Tell all components of the page; each hears it before this returns. */
export function tell<Kind extends keyof Messages>(kind: Kind, message: Messages[Kind]): void {
  if (kind === "moment") globalThis.explorerMoment = message as Moment | null;
  if (kind === "light") globalThis.explorerLight = message as Light | null;
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
}

/** Tells where a view plays the decoding. While one page replaces another, views of both stand there: the newer counts. */
export class Moments {
  private static count = 0;
  private static newest: Moments | null = null;
  private readonly number = ++Moments.count;

  tell(moment: Moment): void {
    const { newest } = Moments;
    if (newest && newest.number > this.number) return;
    if (newest !== this) newest?.end();
    Moments.newest = this;
    tell("moment", moment);
  }
  end(): void {
    if (Moments.newest !== this) return;
    Moments.newest = null;
    tell("moment", null);
  }
}

/**
 * Call `hear` with every message of a kind, until `signal` ends it.
 *
 * Who comes after the view that plays hears at once where it is, and who comes after the lesson what it lights.
 */
export function onTold<Kind extends keyof Messages>(
  kind: Kind,
  hear: (message: Messages[Kind]) => void,
  signal: AbortSignal,
): void {
  if (kind === "moment" && globalThis.explorerMoment) hear(globalThis.explorerMoment as Messages[Kind]);
  if (kind === "light" && globalThis.explorerLight) hear(globalThis.explorerLight as Messages[Kind]);
  window.addEventListener(NAME + kind, (event) => hear((event as CustomEvent<Messages[Kind]>).detail), {
    signal,
  });
}
