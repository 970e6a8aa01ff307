"""Translate from the command line: ``python -m core.translate --run checkpoints/en-fr "the small cat sleeps"``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.command_line import INTERRUPTED, add_machine, leave_broken_pipe, say
from core.config import BeamConfig, DecodeConfig
from core.errors import ConfigError, ExplorerError, InputError

if TYPE_CHECKING:
    # Imported where it is used: --help and a wrong setting need not wait for torch.
    from core.run import Run

EXAMPLES = """examples:
  python -m core.translate --run checkpoints/en-fr "the small cat sleeps" "a dog sings"
  python -m core.translate --run checkpoints/en-fr < sentences.txt
  python -m core.translate --run checkpoints/en-fr --beam 4 --n-best 3 "the small cat sleeps"
  python -m core.translate --run checkpoints/en-fr --temperature 0.8 --top-k 5 --seed 1 "the small cat sleeps"
  python -m core.translate --run checkpoints/en-fr --prefix "la" "the small cat sleeps"

Without a text, each line of stdin is translated as it comes; an empty line gives an empty line. What cannot be
translated gives one too, and is said on stderr with the number of its line; the exit code is then 2."""

_SETTING = re.compile(r"\b(?:width|n_best|length_penalty|max_length|temperature|top_k|top_p|seed)\b")


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry of the command; 0 when everything was translated, 2 when something could not be."""
    options = _parser().parse_args(arguments)
    try:
        config = _config(options)
        import torch

        from core.run import load_run

        torch.set_num_threads(options.threads)
        run = load_run(options.run, options.device)
        prefix = _prefix_ids(run, options.prefix)
    except ExplorerError as error:
        say(error)
        return 2
    failed = False
    try:
        for place, text in _texts(options.text):
            try:
                for line in _answers(run, text, config, options, prefix):
                    print(line, flush=True)
            except ExplorerError as error:
                failed = True
                say(f"{place}{error}")
                if place:
                    print(flush=True)  # Line n of the output answers line n of the input.
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
    parser.add_argument("text", nargs="*", help="sentences; without any, one is read from each line of stdin")
    parser.add_argument("--run", required=True, type=Path, help="folder of the run")
    parser.add_argument("--max-length", type=int, default=50, help="most tokens produced (default: 50)")
    parser.add_argument("--prefix", metavar="TEXT", default="", help="what every translation begins with")
    add_machine(parser)
    beam = parser.add_argument_group("beam search")
    beam.add_argument("--beam", type=int, metavar="N", help="keep the N best hypotheses side by side")
    beam.add_argument(
        "--length-penalty", type=float, metavar="ALPHA", help="above 0 favours longer ones (default: 0.6)"
    )
    beam.add_argument("--n-best", type=int, metavar="N", help="print the N best, each as score, tab, text")
    sampling = parser.add_argument_group("sampling")
    sampling.add_argument(
        "--temperature", type=float, metavar="T", help="0 is greedy; above 0 draws from softmax(logits / T)"
    )
    sampling.add_argument("--top-k", type=int, metavar="K", help="draw among the K most probable tokens")
    sampling.add_argument(
        "--top-p", type=float, metavar="P", help="draw among the most probable with this share in all"
    )
    sampling.add_argument("--seed", type=int, help="of the draws (default: 0)")
    return parser


def _config(options: argparse.Namespace) -> DecodeConfig | BeamConfig:
    """The method that the options ask for.

    Raises:
        ConfigError: when they are of two methods, or a value is impossible.
    """
    given = {name: value for name, value in vars(options).items() if value is not None}
    sampling = {name: given[name] for name in ("temperature", "top_k", "top_p", "seed") if name in given}
    beam = {name: given[name] for name in ("length_penalty", "n_best") if name in given}
    if options.beam is not None and sampling:
        raise ConfigError(
            f"--beam looks for the most probable translation, and {_option(sampling)} is for drawing one by "
            "chance; leave one of them out"
        )
    if beam and options.beam is None:
        raise ConfigError(f"{_option(beam)} is for beam search; add --beam with the number of hypotheses")
    if not sampling.get("temperature") and {"top_k", "top_p"} & set(sampling):
        raise ConfigError("--top-k and --top-p choose what is drawn from; add --temperature above 0")
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


def _prefix_ids(run: Run, text: str) -> list[int]:
    """Target ids of the forced beginning.

    Raises:
        InputError: when the model does not know a token of it.
    """
    unknown = run.tgt_tokenizer.unknown(text)
    if unknown:
        named = ", ".join(f"“{token}”" for token in unknown[:5])
        raise InputError(f"The model cannot write {named}; begin --prefix otherwise.")
    return run.tgt_tokenizer.encode(text)


def _texts(given: Sequence[str]) -> Iterator[tuple[str, str | bytes]]:
    """Each text, behind what its errors begin with."""
    if given:
        yield from (("", text) for text in given)
        return
    # As bytes: one line that is not UTF-8 must not end the reading of all.
    lines: Iterable[str | bytes] = getattr(sys.stdin, "buffer", sys.stdin)
    for number, line in enumerate(lines, start=1):
        yield f"line {number}: ", line


def _answers(
    run: Run,
    text: str | bytes,
    config: DecodeConfig | BeamConfig,
    options: argparse.Namespace,
    prefix: list[int],
) -> list[str]:
    """The lines to print for one text or line.

    Raises:
        InputError: when the model cannot read it.
    """
    line = _decoded(text).rstrip("\r\n")
    if not options.text and not line.strip():
        return [""]
    if options.n_best is None or isinstance(config, DecodeConfig):
        return [run.translate(line, config, prefix=prefix)]
    from core.decoding.beam import beam_search

    best = beam_search(run.model, run.encode_source(line)[None], config, prefix=prefix)
    return [f"{h.score:.4f}\t{run.tgt_tokenizer.decode(h.ids)}" for h in best]


def _decoded(line: str | bytes) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text; convert it, for example with iconv") from error


if __name__ == "__main__":
    sys.exit(main())
