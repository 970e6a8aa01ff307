"""What a number is, in one sentence with its tokens in their colours."""

from __future__ import annotations

from core.activations.location import locate
from core.activations.sites import Site
from explorer.browser.explain_panel import Words
from explorer.explaining.names import entry_of, is_own_generator, name_of, role_of, tokens_at, twins_at
from explorer.look.rows import row_pieces
from explorer.look.token_text import twin_place
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace

Sentence = tuple[Words, ...]


def sentence_of(cell: CellPlace, recorded: Recorded) -> Sentence:
    """What the number is, with tokens where its index stands for tokens; without the stop at its end."""
    tokens, entry = tokens_at(cell, recorded), entry_of(cell.site, recorded)
    if entry is None:
        return _plain_sentence(cell, tokens, recorded)
    if entry.axes[-2:] == ("query", "key"):
        twins = twins_at(cell, recorded)
        query, key = ((tokens[axis], *twins[axis]) for axis in ("query", "key"))
        return _of_pair(entry.value, query, key)
    name = name_of(cell.site, recorded.run.config)
    if "vocab" in tokens:
        return Words(f"The {name} of "), tokens["vocab"], Words(f" at step {cell.index[1]}")
    return _of_vector(cell, entry, name, _row(cell, entry, recorded))


def _row(cell: CellPlace, entry: Site, recorded: Recorded) -> Sentence:
    """The row that the number stands in: its token, or in the decoder both that it reads and that it will write."""
    axes = zip(recorded.axes(entry), cell.index[1:], strict=True)
    axis, place = next((axis, place) for axis, place in axes if axis.labels)
    side, twin = entry.location.side, twin_place(axis.labels, place)
    row = (Words(piece.text, side if piece.kind else "") for piece in row_pieces(axis, place))
    return (*row, Words(twin)) if twin else tuple(row)


def _of_pair(value: str, query: Sentence, key: Sentence) -> Sentence:
    """What a number is that a query and a key have together."""
    meets = (
        Words("The "),
        Words("query", "q"),
        Words(" of "),
        *query,
        Words(" meets the "),
        Words("key", "k"),
    )
    sentences: dict[str, Sentence] = {
        "mask": (Words("May "), *query, Words(" look at "), *key, Words("?")),
        "products": (*meets, Words(" of "), *key),
        "scores": (*meets, Words(" of "), *key),
        "masked_scores": (*meets, Words(" of "), *key, Words(", if the mask lets it")),
        "weights": (*query, Words(" reads "), *key, Words(" with this weight")),
    }
    return sentences[value]


def _of_vector(cell: CellPlace, entry: Site, name: str, row: Sentence) -> Sentence:
    """What one of the numbers is that a row has in a lane, a head or a hidden layer."""
    role = role_of(cell.site)
    what = Words(name, role if role in ("q", "k", "v") else "")
    if entry.axes[-1] not in ("d_head", "d_model", "d_ff"):
        return Words("The "), what, Words(" of "), *row
    place = "number" if entry.axes[-1] == "d_ff" else "place"
    return Words("The "), what, Words(" of "), *row, Words(f", {place} {cell.index[-1]}")


def _plain_sentence(cell: CellPlace, tokens: dict[str, Words], recorded: Recorded) -> Sentence:
    """What a learned number is, an id, or one of the whole output."""
    site, index, config = cell.site, cell.index, recorded.run.config
    name = name_of(site, config)
    if site == "hypothesis.prob":
        return Words("The probability of "), tokens["vocab"], Words(f" at step {index[0]}")
    if site == "hypothesis.token_loss":
        return Words("The loss of "), tokens["position"], Words(f" at step {index[0]}")
    if locate(site).kind == "hypothesis":
        return (Words(f"The {name}"),)
    if site in ("src", "tgt_in"):
        return Words("The token id of "), tokens["position"], *twins_at(cell, recorded)["position"]
    if "vocab" in tokens:
        row = "generator row" if is_own_generator(site, config) else "embedding"
        return Words(f"The learned {row} of "), tokens["vocab"], Words(f", place {index[1]}")
    where = f"row {index[0]}" if len(index) == 1 else f"row {index[0]}, column {index[1]}"
    return (Words(f"A learned {name}: {where}"),)
