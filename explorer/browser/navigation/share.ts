// The address of what is seen, which holds all choices: as a QR code for a class, and to copy.

import { encode } from "uqr";

import { settled } from "../screen/screen";
import { button, el, svg } from "../shared/elements";
import { onKey } from "../shared/keys";
import { tellWhatRests } from "../shared/resting";

const FOLLOW_MS = 250, // between looks at the address, which follows an action a moment later
  LONGEST = 1200, // characters of which a phone still reads the code across a room
  LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/,
  COPIED = "Link copied",
  NOT_COPIED = "The browser does not let pages copy here; take the link from the address bar.",
  TOO_LONG = "This view has too many choices for a QR code. Copy the link instead.",
  AT_HOME =
    "Only this computer can open the address. Start the app with “make serve” to open it to your network and to have a code here.";

/** Return why an address has no code; empty if it has one. */
export function whyNone({ hostname, href }: URL): string {
  if (LOOPBACK.test(hostname)) return AT_HOME;
  return href.length > LONGEST ? TOO_LONG : "";
}

export class Share {
  private readonly place = el("div", { class: "code" });
  private readonly address = el("p", { class: "address" });
  private readonly status = el("p", { role: "status" });
  private readonly dialog = el(
    "dialog",
    { class: "share", "aria-label": "This view as a QR code" },
    this.place,
    this.address,
    el(
      "div",
      { class: "actions" },
      button({ text: "Copy link", autofocus: "" }, () => void this.copy()),
      button({ text: "Close" }, () => this.dialog.close()),
    ),
    this.status,
  );
  private readonly opener = button(
    { class: "share", "aria-label": "Link and QR code of this view, key q", title: "Link and QR code (q)" },
    () => this.open(),
    svg(
      "svg",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      svg("path", {
        d: "M2 2h4.5v4.5H2zM9.5 2H14v4.5H9.5zM2 9.5h4.5V14H2zM9.5 9.5v2M14 9.5h-2V12M9.5 14H12M14 14v-.1",
      }),
    ),
  );
  readonly nodes = [this.opener, this.dialog];
  private shown = "";
  private following: ReturnType<typeof setInterval> | undefined;

  /** given: returns the address for others; empty if it is that of the window. */
  constructor(
    private readonly given: () => string,
    signal: AbortSignal,
  ) {
    const stop = () => clearInterval(this.following);
    this.dialog.addEventListener("close", stop, { signal });
    signal.addEventListener("abort", stop);
    // Elsewhere on the page its keys mean something else.
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
    onKey("q", this.opener, () => this.open(), signal, window);
  }

  private get href(): string {
    return new URL(this.given() || location.href, location.href).href;
  }

  private open(): void {
    tellWhatRests();
    this.status.textContent = this.shown = "";
    this.draw();
    this.dialog.showModal();
    this.following = setInterval(() => this.draw(), FOLLOW_MS);
  }

  private draw(): void {
    const href = this.href;
    if (href === this.shown) return;
    this.shown = href;
    const why = whyNone(new URL(href));
    this.place.replaceChildren(why ? el("p", { text: why }) : codeOf(href));
    this.address.textContent = readable(href);
  }

  private async copy(): Promise<void> {
    await settled();
    // A page may have no clipboard, or not the right to write to it.
    const isDone = await navigator.clipboard?.writeText(this.href).then(
      () => true,
      () => false,
    );
    this.status.textContent = isDone ? COPIED : NOT_COPIED;
  }
}

/** Return an address with the letters that it stands for; as it is if it has been typed with others. */
export function readable(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** Draw the code of a text, with the quiet zone that readers need. */
function codeOf(text: string): SVGElement {
  const { data, size } = encode(text, { ecc: "M", border: 4 }),
    dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the address below" },
    svg("path", { d: dark.join("") }),
  );
}
