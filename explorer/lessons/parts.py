"""The pages that a lesson can go to, and the parts of each that it can highlight, by the names in its file."""

from collections.abc import Mapping

from explorer.blocks import BLOCKS

HOME = "home"
"""What lessons call the first page, whose address is empty."""
PAGES: Mapping[str, str] = {
    HOME: "pages/home/translate.py",
    "map": "pages/model/map.py",
    **{block.key: block.page for block in BLOCKS},
    "step-by-step": "pages/generation/step_by_step.py",
    "sampling-lab": "pages/generation/sampling.py",
    "beams": "pages/generation/beam_search.py",
    "train": "pages/training/train.py",
    "runs": "pages/training/runs.py",
    "tensors": "pages/model/tensors.py",
}
"""File of each page by its address."""

_MODEL = {"sentence": "sentence_box", "examples": "examples", "words": "depth_card"}

PARTS: Mapping[str, Mapping[str, str]] = {
    HOME: {**_MODEL, "view": "decode_view", "map": "map_overview"},
    "map": {**_MODEL, "view": "map_view"},
    "tokens": {
        **_MODEL,
        "cuts": "token_view",
        "view": "tokens",
        "geometry": "geometry",
        "sharing": "sharing",
    },
    "positions": {
        **_MODEL,
        "controls": "position_controls",
        "view": "positions",
        "waves": "waves",
        "products": "products",
        "kinds": "kinds",
    },
    "self-attention": {**_MODEL, "view": "self_attention"},
    "masked-self-attention": {**_MODEL, "view": "masked_self_attention"},
    "cross-attention": {**_MODEL, "view": "cross_attention"},
    "masks": {**_MODEL, "controls": "masks_controls", "findings": "masks_findings", "view": "masks"},
    "add-norm": {
        **_MODEL,
        "controls": "norm_choice",
        "view": "add_norm",
        "statistics": "norm_statistics",
        "stream": "norm_stream",
        "untrained": "norm_untrained",
    },
    "feed-forward": {
        **_MODEL,
        "controls": "network_choice",
        "view": "feed_forward",
        "strongest": "strongest",
        "silent": "silent",
    },
    "output": {
        **_MODEL,
        "controls": "step_choice",
        "view": "output",
        "last-row": "last_row",
        "loss": "loss",
        "smoothing": "smoothed_target",
    },
    "step-by-step": {**_MODEL, "view": "step_by_step"},
    "sampling-lab": {**_MODEL, "view": "sampling_view"},
    "beams": {
        **_MODEL,
        "controls": "beam_settings",
        "verdict": "beam_verdict",
        "view": "beam_view",
    },
    "train": {"form": "train_form"},
    "runs": {},
    "tensors": {
        **_MODEL,
        "view": "tensors",
        "statistics": "tensor_statistics",
        "histogram": "tensor_histogram",
    },
}
"""By the page's address: the key of the container or view that each part is drawn with."""
