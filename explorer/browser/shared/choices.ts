// Whose choice counts, the visitor's in a view or Python's in its message, where reports and messages cross on the way.

import { reportAfter } from "./report";

/**
 * What a message says besides its choice.
 *
 * fresh: whether the message is about something else than the one before, such as other weights.
 * possible: whether the visitor's choice can go on with it.
 * pending: whether there is a choice that is not told yet.
 * alike: which choices count as the same one said once more; as `same`, unless it is given.
 */
interface Hearing<Choice> {
  fresh: boolean;
  possible: boolean;
  pending: boolean;
  alike?: (one: Choice, other: Choice) => boolean;
}

/**
 * What to do with the choice of a message.
 *
 * "follow": it is Python's own choice, as after the browser's Back, or the first of something else.
 * "keep": the visitor has chosen while other numbers were on their way; the message says the earlier choice once
 * more, and Python is to be told again.
 * "": it says nothing new, or is older than what was told.
 */
type Verdict = "follow" | "keep" | "";

export interface Choices<Choice> {
  /** The number of the last report. */
  readonly report: number;
  /** Whether a choice is the one that was told or heard last. */
  isKnown(choice: Choice): boolean;
  /** The number of a report that tells a choice; one that tells something else says nothing new of it. */
  tell(choice?: Choice): number;
  /** The choice that Python knew of when it wrote a message that names this report. */
  knownAt(named: number): Choice | null;
  /** Hears the choice of a message, which names the last report that Python had heard when it wrote it. */
  hear(choice: Choice, named: number, hearing: Hearing<Choice>): Verdict;
}

/** The choices of a view as they were told and heard; same says whether two of them are alike. */
export function makeChoices<Choice>(same: (one: Choice, other: Choice) => boolean): Choices<Choice> {
  const told = new Map<number, Choice | null>(); // the choices that were told, by the numbers of their reports
  let known: Choice | null = null,
    said: Choice | null = null,
    report = 0;
  const knownAt = (named: number) => told.get(named) ?? said;
  return {
    get report() {
      return report;
    },
    isKnown: (choice) => known !== null && same(choice, known),
    tell(choice) {
      known = choice ?? known;
      told.set((report = reportAfter(report)), known);
      return report;
    },
    knownAt,
    hear(choice, named, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named);
      const keeps =
        fresh && possible && before !== null && alike(choice, before) && (named < report || pending);
      const follows = !keeps && (fresh || (named >= report && !(known !== null && same(choice, known))));
      said = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named) told.delete(earlier);
      return keeps ? "keep" : follows ? "follow" : "";
    },
  };
}
