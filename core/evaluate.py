"""Evaluate a run from the command line: ``python -m core.evaluate --run checkpoints/en-fr``."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.command_line import (
    INTERRUPTED,
    add_machine,
    add_reading_arguments,
    leave_broken_pipe,
    part,
    percent,
    reading_options,
    say,
    whole_number,
)
from core.errors import ConfigError, ExplorerError, InputError, excerpt
from core.evaluation.exactness import describe_bleu, explain_difference
from core.evaluation.held_out import MOST_PAIRS, HeldOut, Share
from core.evaluation.mistakes import MISTAKES
from core.evaluation.store import HELD_OUT_FILE, write_held_out
from core.numbers import counted

if TYPE_CHECKING:
    # Imported where it is used: --help and a wrong setting need not wait for torch.
    from core.data.pairs import Drop
    from core.data.tasks import Pair
    from core.evaluation.figures import Evaluation
    from core.evaluation.pair_result import PairResult
    from core.run import Run

EXAMPLES = f"""examples:
  python -m core.evaluate --run checkpoints/en-fr
  python -m core.evaluate --run checkpoints/en-fr --split unseen --mistakes 5
  python -m core.evaluate --run runs/mine --test sentences.tsv --json > figures.json
  python -m core.evaluate --run checkpoints/reverse --updates 150

Each source is decoded greedily, and the output is compared with its reference as it is written and token by token. A
source with several targets in the file accepts each of them. The kinds of mistakes overlap:
{chr(10).join(f"  {mistake.key:<14} {mistake.meaning}" for mistake in MISTAKES.values())}"""

SPLITS = ("test", "validation", "unseen")
MOST_MISTAKES = 1000
CONFUSIONS_SHOWN = 10
"""Lines of the table of confusions; --json has all."""
UNKNOWN_SHOWN = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry of the command; 0 when the pairs were evaluated, 2 when they could not be."""
    options = _parser().parse_args(arguments)
    try:
        run, found, left_out = _evaluated(options)
        worst = found.worst(options.mistakes or 0)
        lines = _as_json if options.json else _table
        printed = "\n".join(lines(run, found, worst, left_out))
        print(printed, flush=True)
        if options.keep:
            write_held_out(options.run, found)
            say(f"saved as {options.run.name}/{HELD_OUT_FILE}")
    except ExplorerError as error:
        say(error)
        return 2
    except BrokenPipeError:
        leave_broken_pipe()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core.evaluate",
        description="Evaluate a trained model on held-out pairs and count its mistakes by kind.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--run", required=True, type=Path, metavar="FOLDER", help="folder of the run")
    parser.add_argument(
        "--updates",
        type=int,
        metavar="N",
        help="evaluate the weights after N updates, if the run has kept them (default: the best weights)",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--split", choices=SPLITS, default="test", help="split of the run's pairs to evaluate (default: test)"
    )
    which.add_argument(
        "--test",
        type=Path,
        metavar="FILE",
        help="file of other pairs to evaluate: source<TAB>target lines, .csv, JSON, TMX, PO or another known form",
    )
    which.add_argument(
        "--source-file",
        type=Path,
        metavar="FILE",
        help="file of sources to evaluate, one a line; line n of --target-file answers line n",
    )
    parser.add_argument(
        "--target-file", type=Path, metavar="FILE", help="file of references for --source-file"
    )
    add_reading_arguments(parser.add_argument_group("how --test is read"))
    parser.add_argument(
        "--pairs",
        type=whole_number(MOST_PAIRS),
        default=MOST_PAIRS,
        metavar="N",
        help=f"evaluate only the first N pairs (default and maximum: {MOST_PAIRS:,})",
    )
    parser.add_argument(
        "--mistakes",
        type=whole_number(MOST_MISTAKES),
        metavar="N",
        help="print the N wrong outputs with the least probable references (default: none)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument(
        "--keep", action="store_true", help=f"save all results as {HELD_OUT_FILE} in the run's folder"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="hide the progress bar, which appears only in a terminal"
    )
    add_machine(parser)
    return parser


def _evaluated(options: argparse.Namespace) -> tuple[Run, HeldOut, Sequence[Drop]]:
    """The run, what it makes of the pairs that the options name, and what of their file is left out.

    Raises:
        ExplorerError: when one of them cannot be used.
    """
    brought = options.test or options.source_file
    if bool(options.source_file) != bool(options.target_file):
        raise ConfigError("--source-file and --target-file need each other; name both")
    if not brought and (options.columns or options.has_header is not None or options.drop_unchanged):
        raise ConfigError("--columns, --header and --drop-unchanged need --test, or two files")
    if options.keep and (brought or options.updates is not None or options.pairs < MOST_PAIRS):
        raise ConfigError(
            "--keep saves a whole split of the run with its best weights; leave out --test, --updates and --pairs"
        )
    import torch

    from core.evaluation.pairs import collect, evaluate_pairs
    from core.run import load_run
    from core.training.history import load_run_at

    torch.set_num_threads(options.threads)
    if options.updates is None:
        run = load_run(options.run, options.device)
    else:
        run = load_run_at(options.run, options.updates, options.device)
    split = brought.name if brought else options.split
    left_out: Sequence[Drop] = ()
    if brought:
        pairs, left_out = _own_pairs(run, options)
    else:
        pairs = _pairs_of(run, options.run, options.split)
    batches = evaluate_pairs(run, pairs[: options.pairs], split=split)
    results = _with_progress(batches, min(len(pairs), options.pairs), is_quiet=options.quiet)
    return run, collect(run, results, split=split, n_available=len(pairs)), left_out


def _pairs_of(run: Run, folder: Path, split: str) -> Sequence[Pair]:
    """The pairs of one of the run's own splits.

    Raises:
        ExplorerError: when it has none.
    """
    from core.training.plan import dataset_of

    splits = dataset_of(folder, run).splits
    pairs: Sequence[Pair] = getattr(splits, split)
    if not pairs:
        others = [name for name in SPLITS if getattr(splits, name)]
        raise InputError(f"the run {folder.name} has no {split} pairs; choose --split {' or '.join(others)}")
    return pairs


def _own_pairs(run: Run, options: argparse.Namespace) -> tuple[Sequence[Pair], Sequence[Drop]]:
    """Return the pairs of one file or two that the run can take, one for each source, and what is left out.

    Raises:
        InputError: when the file cannot be read, or has no such pair.
    """
    from core.data.pairs import COPY_LIMITS, learnable_pairs, read_aligned, read_pairs
    from core.data.pairs.tokenizing import MAX_TOKENS_PER_SIDE
    from core.data.splits import accept_all_targets

    reading = reading_options(vars(options), keep_spaces=run.src_tokenizer.exact_spaces)
    # The run's own limits count, not those of an upload, so that all pairs it was trained with can be measured.
    if options.source_file:
        found = read_aligned(options.source_file, options.target_file, COPY_LIMITS, reading)
    else:
        found = read_pairs(options.test, COPY_LIMITS, reading)
    say(found.report)
    most = max(MAX_TOKENS_PER_SIDE, run.max_source_tokens, run.max_target_tokens or 0)
    if run.config.positional == "learned":
        most = min(most, run.config.max_len - 1)  # The last position is that of EOS.
    pairs, drops = learnable_pairs(found.pairs, run.src_tokenizer, run.tgt_tokenizer, most)
    for drop in drops:
        say(f"Dropped after cutting into tokens: {drop}.")
    if not pairs:
        raise InputError(
            f"{found.report.name} has no pair with tokens on both sides, {most} at most; bring others"
        )
    return accept_all_targets(pairs), (*found.report.drops, *drops)


def _with_progress(
    batches: Iterable[Sequence[PairResult]], total: int, *, is_quiet: bool
) -> Iterator[PairResult]:
    from tqdm import tqdm

    # None: shown on a terminal alone.
    with tqdm(total=total, unit="pair", dynamic_ncols=True, disable=is_quiet or None) as bar:
        for batch in batches:
            yield from batch
            bar.update(len(batch))


def _as_json(
    run: Run, found: HeldOut, worst: Sequence[PairResult], left_out: Sequence[Drop]
) -> Iterator[str]:
    from core.evaluation.pairs import unknown_tokens

    values: dict[str, Any] = {
        "run": run.name,
        "fingerprint": found.fingerprint,
        **found.summary(),
        "left_out": [{"count": drop.count, "reason": drop.reason.value} for drop in left_out],
        "unknown_tokens": vars(unknown_tokens(run, found)),
        "worst": [each.to_dict() | {"loss": each.loss, "log_prob": each.log_prob} for each in worst],
    }
    yield json.dumps(values, ensure_ascii=False)


def _table(run: Run, found: HeldOut, worst: Sequence[PairResult], left_out: Sequence[Drop]) -> Iterator[str]:
    """The lines that a person reads."""
    figures = found.figures
    of_all = f" of {found.n_available:,}, the first" if len(found.results) < found.n_available else ""
    yield f"{run.name}, {excerpt(found.split)}: {counted(figures.n_pairs, 'pair')}{of_all}"
    yield from _exact_lines(run, figures)
    yield f"  tokens in place   {percent(figures.token_accuracy)}"
    yield f"  loss per token    {figures.loss:.4f} nats"
    if figures.chrf is not None:
        yield f"  {'chrF':<17} {figures.chrf:.1f}"
    if figures.bleu is not None and found.bleu_tokenizer is not None:
        yield f"  {'BLEU':<17} {describe_bleu(figures.bleu, found.bleu_tokenizer)}"
    yield from _left_out_lines(found, left_out)
    yield from _unknown_lines(run, found)
    right = "exact" if figures.string_match == figures.exact_match else "right"
    yield from _share_lines("source tokens", found.by_source_length(), right)
    yield from _share_lines("reference tokens", found.by_reference_length(), right)
    if found.wrong:
        yield from _mistake_lines(found)
    for each in worst:
        yield from _pair_lines(each)


def _exact_lines(run: Run, figures: Evaluation) -> Iterator[str]:
    """Yield the counts of right outputs: as they are written first, and by their tokens where that differs."""
    by_token = f"{part(figures.exact_match, figures.n_pairs)} ({percent(figures.exact_match)})"
    if figures.string_match is None or figures.string_match == figures.exact_match:
        yield f"  exactly right     {by_token}"
        yield "                    as written, character by character"
        return
    as_written = f"{part(figures.string_match, figures.n_pairs)} ({percent(figures.string_match)})"
    yield f"  exactly right     {as_written}, as written"
    yield f"  right by token    {by_token}: {explain_difference(run, figures.to_dict())}"


def _left_out_lines(found: HeldOut, left_out: Sequence[Drop]) -> Iterator[str]:
    """Yield how many pairs the figures leave out, with the reasons, and how many outputs reached the limit."""
    if left_out:
        yield f"  left out          {counted(sum(drop.count for drop in left_out), 'pair')} of the file"
        yield from (f"                    {drop}" for drop in left_out)
    if truncated := sum(not each.finished for each in found.results):
        yield f"  cut off           {counted(truncated, 'output')} at the limit of the run"


def _unknown_lines(run: Run, found: HeldOut) -> Iterator[str]:
    from core.evaluation.pairs import unknown_tokens

    unknown = unknown_tokens(run, found)
    if unknown.n_pairs:
        yield f"\ntokens that the vocabulary lacks, in {counted(unknown.n_pairs, 'pair')}"
    for side, tokens, meaning in (
        ("sources", unknown.source, "read as unknown"),
        ("references", unknown.reference, "cannot be met"),
    ):
        if tokens:
            yield f"  in {side}: {_named(tokens)} ({meaning})"


def _named(tokens: Counter[str]) -> str:
    named = ", ".join(f"“{excerpt(token, 30)}”" for token, _ in tokens.most_common(UNKNOWN_SHOWN))
    more = f" and {len(tokens) - UNKNOWN_SHOWN:,} more" if len(tokens) > UNKNOWN_SHOWN else ""
    return f"{counted(sum(tokens.values()), 'token')}, {named}{more}"


def _share_lines(title: str, shares: Sequence[Share], right: str) -> Iterator[str]:
    yield f"\n{title:>17}  {'pairs':>6}  {right:>6}"
    yield from (f"{share.of:>17}  {share.n:>6,}  {percent(share.share):>6}" for share in shares)


def _mistake_lines(found: HeldOut) -> Iterator[str]:
    yield f"\n{len(found.wrong):,} wrong, by kind (one may be of several)"
    yield from (f"  {MISTAKES[key].title:<20} {len(wrong):>6,}" for key, wrong in found.mistakes.items())
    confusions = found.confusions()
    more = (
        f", the most frequent {CONFUSIONS_SHOWN} of {len(confusions):,}"
        if len(confusions) > CONFUSIONS_SHOWN
        else ""
    )
    yield f"\nfirst wrong tokens{more}"
    for each in confusions[:CONFUSIONS_SHOWN]:
        written = f"“{excerpt(each.written, 30)}”" if each.written else "nothing more"
        yield f"  {each.count:>6,}  {written} instead of “{excerpt(each.expected, 30)}”"


def _pair_lines(result: PairResult) -> Iterator[str]:
    place = result.first_wrong
    yield f"\npair {result.number:,}: loss {result.loss:.3f} per token, first wrong at token {place}"
    yield f"  source     {excerpt(result.source, 300)}"
    yield f"  reference  {excerpt(result.reference, 300)}"
    yield from (f"  or         {excerpt(other, 300)}" for other in result.others)
    yield f"  output     {excerpt(result.output, 300)}{'' if result.finished else ' (cut off)'}"


if __name__ == "__main__":
    sys.exit(main())
