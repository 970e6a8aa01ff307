// What the components of one page tell each other at once, without a way through Python.

/** A token of the decoding that the page is about: of the source by its place, of the output by the step that wrote it. */
export interface Token { side: "source" | "target"; place: number }
/** What plays the decoding on this page, told whenever it changes. A step of -1 is the encoder's run. */
export interface Moment { step: number; isPlaying: boolean; speed: number }
/** What somebody asks of whatever plays: to rest at the end of a step, to play or pause, or at another speed. */
export type Command = { do: "go"; step: number } | { do: "toggle" } | { do: "speed"; speed: number };

/**
 * The kinds of messages.
 *
 * token: somebody points at a token or has it in focus, anywhere on the page; null when that ends.
 * moment: from the view that plays; null when it leaves the page.
 * command: for the view that plays. Without one the bar of the sentence moves its own step.
 */
export interface Messages { token: Token | null; moment: Moment | null; command: Command }

const NAME = "explorer-";

/** Tell all components of the page; each hears it before this returns. */
export function tell<Kind extends keyof Messages>(kind: Kind, message: Messages[Kind]): void {
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
}

/** Call `hear` with every message of a kind, until `signal` ends it. */
export function onTold<Kind extends keyof Messages>(kind: Kind, hear: (message: Messages[Kind]) => void, signal: AbortSignal): void {
  window.addEventListener(NAME + kind, (event) => hear((event as CustomEvent<Messages[Kind]>).detail), { signal });
}
