// Whose choice counts, the visitor's in a view or Python's in its message, where reports and messages cross on the way.

/** The choices of a view as they were told and heard; same says whether two of them are alike. */
function makeChoices(same) {
  const told = new Map();   // the choices that were told, by the numbers of their reports
  let known = null, said = null, report = 0;
  const knownAt = (named) => told.get(named) ?? said;
  return {
    /** The number of the last report. */
    get report() { return report; },
    /** Whether a choice is the one that was told or heard last. */
    isKnown: (choice) => known !== null && same(choice, known),
    /** The number of a report that tells a choice; one that tells something else says nothing new of it. */
    tell(choice = known) {
      known = choice;
      told.set((report = reportAfter(report)), choice);
      return report;
    },
    /** The choice that Python knew of when it wrote a message that names this report. */
    knownAt,
    /**
     * Hears the choice of a message, which names the last report that Python had heard when it wrote it.
     *
     * fresh: whether the message is about something else than the one before, such as other weights.
     * possible: whether the visitor's choice can go on with it.
     * pending: whether there is a choice that is not told yet.
     * alike: which choices count as the same one said once more; as `same`, unless it is given.
     *
     * "follow": it is Python's own choice, as after the browser's Back, or the first of something else.
     * "keep": the visitor has chosen while other numbers were on their way; the message says the earlier choice once
     * more, and Python is to be told again.
     * "": it says nothing new, or is older than what was told.
     */
    hear(choice, named, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named);
      const keeps = fresh && possible && before !== null && alike(choice, before) && (named < report || pending);
      const follows = !keeps && (fresh || (named >= report && !(known !== null && same(choice, known))));
      said = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named) told.delete(earlier);
      return keeps ? "keep" : follows ? "follow" : "";
    },
  };
}
