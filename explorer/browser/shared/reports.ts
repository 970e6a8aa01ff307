// What a view tells Python: each report has a number, and the view knows the last one.

import type { Report } from "./mount";
import { reportAfter } from "./report";
import { tellWhatRests } from "./resting";

export class Reports {
  /** The number of the last report: a message that names an earlier one was written before Python heard of it. */
  last = 0;
  private send: Report = () => undefined;

  /** From now on reports go this way: each message from Python brings its own. */
  through(send: Report): void {
    this.send = send;
  }

  /** Tell Python what was done, under one of the names that it listens to. */
  tell(name: string, what: object): void {
    tellWhatRests();
    this.last = reportAfter(this.last);
    this.send(name, { ...what, report: this.last });
  }
}
