// Notice for answers that take long.

import { el, setText } from "../shared/elements";

const LONG_MS = 700;

export class Waiting {
  private node: HTMLElement | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  begin(): void {
    this.timer = setTimeout(() => this.say("Computing …"), LONG_MS);
  }
  fails(): void {
    clearTimeout(this.timer);
    this.say("The server does not answer. Trying again …");
  }
  end(): void {
    clearTimeout(this.timer);
    this.node?.remove();
    this.node = null;
  }

  private say(sentence: string): void {
    if (!this.node) {
      this.node = el("p", { role: "status" });
      this.node.style.cssText =
        "position: fixed; z-index: 999990; left: 50%; bottom: 12px; transform: translateX(-50%); margin: 0;" +
        "padding: 6px 12px; border-radius: 8px; font: 14px/20px inherit; background: CanvasText; color: Canvas;";
      document.body.append(this.node);
    }
    setText(this.node, sentence);
  }
}
