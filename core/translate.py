"""Translate from the command line: ``python -m core.translate --run checkpoints/en-fr "the small cat sleeps"``."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.command_line import INTERRUPTED, add_machine, leave_broken_pipe, say, whole_number
from core.config import BeamConfig, DecodeConfig
from core.data.vocabulary import Vocabulary
from core.errors import ConfigError, ExplorerError, InputError
from core.numbers import counted
from core.run_description import read_as_unknown

if TYPE_CHECKING:
    # Imported where it is used: --help and a wrong setting need not wait for torch.
    from core.run import Output, Run

EXAMPLES = """examples:
  python -m core.translate --run checkpoints/en-fr "the small cat sleeps" "a dog sings"
  python -m core.translate --run checkpoints/en-fr < sentences.txt
  python -m core.translate --run checkpoints/en-fr --batch-size 200 --json < sentences.txt
  python -m core.translate --run checkpoints/en-fr --beam 4 --n-best 3 "the small cat sleeps"
  python -m core.translate --run checkpoints/en-fr --temperature 0.8 --top-k 5 --seed 1 "the small cat sleeps"
  python -m core.translate --run checkpoints/en-fr --temperature 0.8 --samples 10 "the small cat sleeps"
  python -m core.translate --run checkpoints/en-fr --prefix "la" "the small cat sleeps"

Without TEXT, each line of stdin is translated as it arrives, or --batch-size lines at a time. An empty line gives an
empty line. So does a line that cannot be translated; its number and the reason are printed to stderr, and the exit
status is 2. With --samples N, each line gives N lines."""

USEFUL_BEAM = 50
"""Wider beams are known to find more probable and worse translations (Koehn and Knowles 2017)."""
MOST_TOGETHER = 10_000
_SETTING = re.compile(r"\b(?:width|n_best|length_penalty|max_length|temperature|top_k|top_p|seed)\b")


@dataclass(frozen=True)
class _Text:
    """A text to translate.

    Attributes:
        index: Its place among all texts, counted from 0; its samples follow from it.
        place: Where it stands, as an error names it; empty for an argument.
        content: What is to be translated; bytes of a line that nobody has decoded.
    """

    index: int
    place: str
    content: str | bytes


@dataclass(frozen=True)
class _Answer:
    """What came of one text.

    Attributes:
        index: The text's place among all, counted from 0.
        place: Where it stands, as an error names it; empty for an argument.
        source: The text.
        ids: Of its tokens with eos; empty where it has none or cannot be read.
        outputs: What the model writes for it, the best first, or one sample after the other.
        error: Why it does not; empty otherwise.
        unknown: Tokens that the model does not know.
    """

    index: int
    place: str
    source: str
    ids: tuple[int, ...] = ()
    outputs: tuple[Output, ...] = ()
    error: str = ""
    unknown: tuple[str, ...] = ()


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry of the command; 0 when everything was translated, 2 when something could not be."""
    options = _parser().parse_args(arguments)
    try:
        config = _config(options)
        import torch

        from core.run import load_run

        torch.set_num_threads(options.threads)
        run = load_run(options.run, options.device)
        prefix = run.target_ids(options.prefix)
        _warn_of_wide_beam(run, config)
    except ExplorerError as error:
        say(error)
        return 2
    failed = False
    try:
        for group in _groups(_texts(options.text), options.batch_size):
            for answer in _answers(run, group, config, prefix, options.samples or 1):
                failed = failed or bool(answer.error)
                _show(run, answer, options)
    except BrokenPipeError:
        leave_broken_pipe()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 2 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core.translate",
        description="Translate with a trained model: greedily, by beam search or by sampling.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="sentences to translate (default: the lines of stdin)"
    )
    parser.add_argument("--run", required=True, type=Path, metavar="FOLDER", help="folder of the run")
    parser.add_argument(
        "--max-length",
        type=int,
        metavar="N",
        help="maximum number of output tokens (default: the run's own limit, which its longest target sets)",
    )
    parser.add_argument(
        "--prefix", metavar="TEXT", default="", help="forced beginning of every translation (default: none)"
    )
    parser.add_argument(
        "--batch-size",
        type=whole_number(MOST_TOGETHER),
        default=1,
        metavar="N",
        help="decode N texts at a time; faster, but output waits for N lines of input (default: 1)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object per text: source, output, log_prob, and truncated where the output stopped at the "
        "limit; or source and samples; or source, error, unknown after an error; unknown also for tokens that are read "
        "as <unk>",
    )
    add_machine(parser)
    _add_beam_search(parser.add_argument_group("beam search"))
    _add_sampling(parser.add_argument_group("sampling"))
    return parser


def _add_beam_search(beam: argparse._ArgumentGroup) -> None:
    beam.add_argument(
        "--beam",
        type=int,
        metavar="N",
        help="number of hypotheses to keep in each step (default: no beam search)",
    )
    beam.add_argument(
        "--length-penalty",
        type=float,
        metavar="ALPHA",
        help="exponent of the length penalty; larger values favour longer outputs (default: 0.6)",
    )
    beam.add_argument(
        "--n-best",
        type=int,
        metavar="N",
        help="print the N best hypotheses as score<TAB>text (default: only the text of the best)",
    )


def _add_sampling(sampling: argparse._ArgumentGroup) -> None:
    sampling.add_argument(
        "--temperature",
        type=float,
        metavar="T",
        help="sample from softmax(logits / T); 0 decodes greedily (default: 0)",
    )
    sampling.add_argument(
        "--top-k", type=int, metavar="K", help="sample among the K most probable tokens (default: all)"
    )
    sampling.add_argument(
        "--top-p",
        type=float,
        metavar="P",
        help="sample among the most probable tokens whose probabilities add up to P (default: 1)",
    )
    sampling.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="random seed; each text, and each of its samples, draws numbers of its own, which follow from the seed "
        "and the text's place in the input (default: 0)",
    )
    sampling.add_argument(
        "--samples",
        type=whole_number(MOST_TOGETHER),
        metavar="N",
        help="draw N outputs of each text, one per line (default: 1)",
    )


def _config(options: argparse.Namespace) -> DecodeConfig | BeamConfig:
    """The method that the options ask for.

    Raises:
        ConfigError: when they are of two methods, or a value is impossible.
    """
    given = {name: value for name, value in vars(options).items() if value is not None}
    sampling = {name: given[name] for name in ("temperature", "top_k", "top_p", "seed") if name in given}
    samples = {name: given[name] for name in ("samples",) if name in given}
    beam = {name: given[name] for name in ("length_penalty", "n_best") if name in given}
    if options.beam is not None and sampling | samples:
        raise ConfigError(
            f"--beam searches for the most probable translation, but {_option(sampling | samples)} is for sampling; "
            "leave one of them out"
        )
    if beam and options.beam is None:
        raise ConfigError(f"{_option(beam)} is for beam search; add --beam with the number of hypotheses")
    if samples and not sampling.get("temperature"):
        raise ConfigError("--samples applies to sampling; add --temperature above 0")
    try:
        if options.beam is None:
            return DecodeConfig(max_length=options.max_length, **sampling)
        # The best alone is printed, unless more are asked for.
        return BeamConfig(width=options.beam, max_length=options.max_length, **{"n_best": 1, **beam})
    except ConfigError as error:
        # It names settings, and here they are options.
        named = _SETTING.sub(lambda found: _option(["beam" if found[0] == "width" else found[0]]), str(error))
        raise ConfigError(named) from None


def _option(given: Iterable[str]) -> str:
    return "--" + next(iter(given)).replace("_", "-")


def _warn_of_wide_beam(run: Run, config: DecodeConfig | BeamConfig) -> None:
    """Say it where a beam is so wide that it costs time and cannot help."""
    if isinstance(config, DecodeConfig):
        return
    words = len(run.tgt_tokenizer.vocabulary.words) + 1
    cost = f"every step costs as much as {config.width:,} greedy ones; 4 to 10 is usual"
    if config.width > words:
        say(
            f"--beam {config.width:,} is wider than the {words:,} tokens that can be written first, and {cost}"
        )
    elif config.width > USEFUL_BEAM and config.n_returned < config.width:
        say(f"--beam {config.width:,} is unlikely to find better translations than a narrow one, and {cost}")


def _texts(given: Sequence[str]) -> Iterator[_Text]:
    """Yield the arguments, or the lines of stdin."""
    if given:
        yield from (_Text(index, "", text) for index, text in enumerate(given))
        return
    # As bytes: one line that is not UTF-8 must not end the reading of all.
    lines: Iterable[str | bytes] = getattr(sys.stdin, "buffer", sys.stdin)
    for index, line in enumerate(lines):
        yield _Text(index, f"line {index + 1}: ", line)


def _groups(texts: Iterator[_Text], size: int) -> Iterator[list[_Text]]:
    """So many at a time, the last ones as they are."""
    while group := list(islice(texts, size)):
        yield group


def _answers(
    run: Run,
    group: Sequence[_Text],
    config: DecodeConfig | BeamConfig,
    prefix: list[int],
    samples: int,
) -> list[_Answer]:
    """What the model makes of texts that are decoded together, in their order."""
    answers = [_read(run, text) for text in group]
    rows = [answer for answer in answers if answer.ids for _ in range(samples)]
    # Sample j of text i draws as row i * samples + j of one large batch.
    places = [answer.index * samples + row % samples for row, answer in enumerate(rows)]
    try:
        found = run.outputs_of_ids([answer.ids for answer in rows], config, prefix=prefix, places=places)
    except ExplorerError as error:
        if len(group) == 1:
            return [replace(answer, error=str(error)) for answer in answers]
        # It is about one of them, and the others can be translated.
        return [answer for text in group for answer in _answers(run, [text], config, prefix, samples)]
    outputs = iter(found)
    return [
        _answered(answer, tuple(chain.from_iterable(islice(outputs, samples)))) if answer.ids else answer
        for answer in answers
    ]


def _answered(answer: _Answer, outputs: tuple[Output, ...]) -> _Answer:
    """Return an answer with its outputs, or with an error where the model writes no word that it knows."""
    if all(_unknown_share(output) == 1 for output in outputs):
        return replace(
            answer,
            error="the model writes nothing but <unk>, which stands for no word; train it again, for example with a "
            "lower learning rate",
        )
    return replace(answer, outputs=outputs)


def _unknown_share(output: Output) -> float:
    """Return the share of an output's tokens, without EOS, that stand for no word."""
    written = [token_id for token_id in output.ids if token_id != Vocabulary.eos_id]
    return written.count(Vocabulary.unk_id) / len(written) if written else 0.0


def _read(run: Run, text: _Text) -> _Answer:
    """A text as ids, or why it has none; an empty line needs none."""
    index, place = text.index, text.place
    try:
        source = _decoded(text.content).rstrip("\r\n")
    except InputError as error:
        return _Answer(index, place, _replaced(text.content), error=str(error))
    if place and not source.strip():
        return _Answer(index, place, source)
    unknown = run.unknown_in(source)
    try:
        ids = run.source_ids(source)
        return _Answer(index, place, source, tuple(ids), unknown=unknown)
    except InputError as error:
        return _Answer(index, place, source, error=str(error), unknown=unknown)


def _show(run: Run, answer: _Answer, options: argparse.Namespace) -> None:
    """Print an answer as the options want it; each text has as many lines as samples are wanted."""
    if answer.error:
        say(f"{answer.place}{answer.error}")
    elif answer.unknown:
        say(f"{answer.place}{read_as_unknown(answer.unknown)}")
    shown = answer.outputs[: options.samples or 1]
    if truncated := [output for output in shown if output.truncated]:
        say(f"{answer.place}{_truncation(run, truncated, options)}")
    if unknown := [output for output in shown if _unknown_share(output)]:
        which = f"{len(unknown)} of {options.samples} samples have" if options.samples else "the output has"
        say(f"{answer.place}{which} <unk>, which stands for no word")
    if options.json:
        print(json.dumps(_values(answer, options), ensure_ascii=False), flush=True)
    elif not answer.outputs:
        if answer.place:
            print("\n" * (options.samples or 1), end="", flush=True)
    elif options.n_best is None:
        for output in shown:
            print(output.text, flush=True)
    else:
        for output in answer.outputs:
            print(f"{output.score:.4f}\t{output.text}", flush=True)


def _truncation(run: Run, outputs: Sequence[Output], options: argparse.Namespace) -> str:
    """Say where outputs of one text stopped and what to do about it."""
    length = len(outputs[0].ids)
    which = f"{len(outputs)} of {options.samples} samples" if options.samples else "the output"
    stopped = f"{which} stopped after {counted(length, 'token')}"
    if run.config.positional == "learned" and length == run.config.max_len:
        return f"{stopped}, the last position that the model has learned"
    if options.max_length is None:
        return f"{stopped}, the run's limit; add --max-length N"
    return f"{stopped}, as --max-length says"


def _values(answer: _Answer, options: argparse.Namespace) -> dict[str, Any]:
    """The JSON object of an answer."""
    if answer.error:
        return {"source": answer.source, "error": answer.error, "unknown": answer.unknown}
    if not answer.outputs:
        empty: dict[str, Any] = {"samples": []} if options.samples else {"output": "", "log_prob": None}
        return {"source": answer.source, **empty}
    found = [
        {"output": output.text, "log_prob": output.log_prob}
        | ({"score": output.score} if output.score is not None else {})
        | ({"truncated": True} if output.truncated else {})
        for output in answer.outputs
    ]
    unknown = {"unknown": answer.unknown} if answer.unknown else {}
    if options.samples is not None:
        return {"source": answer.source, "samples": found, **unknown}
    best = {"n_best": found} if options.n_best is not None else {}
    return {"source": answer.source, **found[0], **unknown, **best}


def _replaced(text: str | bytes) -> str:
    """A line that is no text, as far as it can be shown."""
    return (text.decode(errors="replace") if isinstance(text, bytes) else text).rstrip("\r\n")


def _decoded(line: str | bytes) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text; convert it, for example with iconv") from error


if __name__ == "__main__":
    sys.exit(main())
