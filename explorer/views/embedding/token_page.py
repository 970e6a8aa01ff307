"""What the view of tokens is fed for a run and a text, before any weight is loaded."""

from core.data.vocabulary import BOS, EOS, PAD, UNK, Vocabulary
from core.run_description import RunDescription
from explorer.models.tokenizations import LearnedTokenizers, cuts, merging
from explorer.views.embedding.component import SpecialToken, TokenViewData

SPECIAL_TOKENS = (
    SpecialToken(
        PAD,
        Vocabulary.pad_id,
        "Fills shorter texts of a batch up to the longest. Masks hide it.",
    ),
    SpecialToken(BOS, Vocabulary.bos_id, "Start: the first thing that the decoder reads."),
    SpecialToken(
        EOS, Vocabulary.eos_id, "End: closes the source, and ends the output once the decoder writes it."
    ),
    SpecialToken(
        UNK, Vocabulary.unk_id, "Stands for whatever the vocabulary lacks, so that all of it looks the same."
    ),
)


def token_view_data(run: RunDescription, learned: LearnedTokenizers, text: str) -> TokenViewData:
    """The text in all cuts, with the merges of byte-pair encoding."""
    return TokenViewData(
        key=f"{run.name}/{text}",
        cuts=cuts(run, learned, text),
        specials=SPECIAL_TOKENS,
        merging=merging(run, learned, text),
    )
