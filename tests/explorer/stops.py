"""Every kind of stop as a test mounts it in a blank page: what it is fed, and what it says while it is pointed at."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from explorer.browser import stop as module
from explorer.browser.stop import PictureName, StopData, pack
from explorer.models.padded_batch import OWN, masked_batch
from explorer.shell.blocks import rail_of
from explorer.tensors import TensorViewData
from explorer.views.add_norm.data import add_norm_view
from explorer.views.attention.data import attention_view
from explorer.views.embedding.data import tokens_view
from explorer.views.feed_forward.data import feed_forward_view
from explorer.views.masks.data import masks_view
from explorer.views.output.data import output_view
from explorer.views.positions.data import PositionChoice, positions_view
from explorer.visitor.extent import PATHS
from explorer.visitor.state import Decoding, ExplorerState, Look
from tests.explorer import mounting
from tests.explorer.random_recording import recording_of

STEP = 2
STATE = ExplorerState(
    run="random", sentence="w4", decoding=Decoding(step=STEP), look=Look(head=1, layer=1, position=2)
)
BELOW = {"masks"}
SAID = """() => {
    const root = document.querySelector("#host").shadowRoot, canvas = root.querySelector(".stage > canvas");
    const said = [], tabs = [...root.querySelectorAll("[role=tab]")];
    for (const tab of tabs.length ? tabs : [null]) {
        tab?.click();
        for (const part of root.querySelectorAll(".part")) {
            const box = part.getBoundingClientRect();
            for (const [across, down] of [[0.03, 0.03], [0.3, 0.4], [0.6, 0.1]]) {
                const at = { clientX: box.left + across * box.width, clientY: box.top + down * box.height };
                canvas.dispatchEvent(new PointerEvent("pointermove", at));
                const sentence = root.querySelector(".sentence"), code = sentence.querySelector("code")?.textContent;
                if (code === undefined) continue;
                const text = sentence.textContent.slice(0, sentence.textContent.length - code.length).trim();
                said.push([tab?.id ?? "", part.dataset.part, text, code]);
            }
        }
    }
    return said;
}"""
"""For each stage and part, at three places: stage, part, the sentence, and the place that it names, "" for none."""


def masked(recorded, off) -> TensorViewData:
    """The sentence and a shorter one as a padded batch."""
    shorter = recording_of(recorded.run, 4, 3)
    return masks_view(masked_batch(recorded.run, [(OWN, recorded), ("A shorter one", shorter)], off), STATE)


def builders(recorded) -> Mapping[str, tuple[PictureName, Callable[[], TensorViewData]]]:
    """What each kind of stop is fed."""
    attention: dict[str, tuple[PictureName, Callable[[], TensorViewData]]] = {
        kind: ("attention", partial(attention_view, recorded, STATE, kind)) for kind in PATHS
    }
    chosen = {
        block: replace(STATE, look=replace(STATE.look, block=block))
        for block in ("encoder", "decoder", "decoder.cross_attn")
    }
    return attention | {
        "feed-forward": ("feed-forward", lambda: feed_forward_view(recorded, chosen["decoder"])),
        "norm": ("norm", lambda: add_norm_view(recorded, chosen["decoder.cross_attn"])),
        "embedding": ("embedding", lambda: tokens_view(recorded, chosen["encoder"])),
        "positions": (
            "positions",
            lambda: positions_view(recorded, STATE, PositionChoice(7, offset=2, pair=1)),
        ),
        "output": ("output", lambda: output_view(recorded, chosen["decoder"])),
        "masks": ("masks", lambda: masked(recorded, None)),
        "masks, one off": ("masks", lambda: masked(recorded, "padding")),
    }


def stop_of(recorded, picture: PictureName, data: TensorViewData, **changes: Any) -> StopData:
    is_target = data.row_side == "target"
    rail = rail_of(recorded.run)
    stop = StopData(
        tensors=data,
        picture=picture,
        rail=rail,
        here=next(block.id for block in reversed(rail) if block.layer in (1, None)),
        stage="",
        row=STEP,
        grows=is_target and recorded.run.config.causal,
        reads=recorded.inputs if is_target else recorded.source,
        writes=recorded.outputs if is_target else (),
    )
    if picture in BELOW:
        stop = replace(stop, rail=(), here="", grows=False)
    return replace(stop, **changes)


def mount_stop(page, data: StopData) -> None:
    mounting.mount(page, "stop", module.stop.path, pack(data))
