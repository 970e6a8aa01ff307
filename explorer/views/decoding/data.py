"""What the decoding view is fed of a translation, and what a visitor's look at it makes of the state."""

from dataclasses import fields, replace

from core.run import Run
from explorer.models.translation import Translation
from explorer.views.decoding.component import DecodeViewData, WhatIf
from explorer.views.decoding.component.reports import ViewState
from explorer.views.decoding.internals import Internals
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step


def view_data(
    run: Run,
    translation: Translation,
    state: ExplorerState,
    *,
    what_if: WhatIf | None = None,
    internals: Internals | None = None,
) -> DecodeViewData:
    """What the decoding view is fed, for one visitor's choices.

    Args:
        run: The model.
        translation: What it did.
        state: The visitor's choices.
        what_if: Where tokens can be forced: which, and the branches.
        internals: Where they are shown: logit lens and key/value cache.
    """
    shown = shown_state(state, translation)
    return DecodeViewData(
        **{each.name: getattr(translation, each.name) for each in fields(translation)},
        bos=run.tgt_tokenizer.vocabulary.token(run.config.bos_id),
        causal=run.config.causal,
        dtype=run.config.dtype,
        candidate_tokens=tuple(
            map(run.tgt_tokenizer.vocabulary.tokens_of, translation.candidate_ids.tolist())
        ),
        vocabulary_size=run.config.tgt_vocab_size,
        step=shown.step,
        attention=shown.attention,
        layer=shown.layer,
        head=shown.head,
        overlay=shown.overlay,
        what_if=what_if,
        lens=internals.lens if internals else None,
        cache=internals.cache if internals else None,
    )


def shown_state(state: ExplorerState, translation: Translation) -> ViewState:
    """The part of the decoding view that a state stands for: without a choice, the last layer."""
    look = state.look
    n_layers, n_heads = translation.attentions[look.attention].shape[:2]
    return ViewState(
        step=shown_step(state, translation),
        attention=look.attention,
        layer=n_layers - 1 if look.layer is None else min(look.layer, n_layers - 1),
        head=None if look.head is None else min(look.head, n_heads - 1),
        overlay=look.gold and translation.gold is not None,
    )


def seen_state(state: ExplorerState, seen: ViewState, shown: ViewState) -> ExplorerState:
    """The state of a visitor who looks at this part of the decoding view.

    Args:
        state: The choices before.
        seen: What is looked at.
        shown: What was shown before: a layer that was shown anyway nobody has chosen.
    """
    layer = state.look.layer if seen.layer == shown.layer else seen.layer
    return replace(
        state,
        decoding=replace(state.decoding, step=seen.step),
        look=replace(state.look, layer=layer, head=seen.head, gold=seen.overlay, attention=seen.attention),
    )
