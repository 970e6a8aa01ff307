"""Everything that pages import when they first need it, imported in one go by one thread.

Imported here and there by the threads of many visitors, a library can be met half: by whoever looks whether it is
there already, as Streamlit and Plotly do before they look for data frames, and where two threads wait for modules of
each other.
"""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module
from pathlib import Path

_PROJECT = Path(__file__).parents[2]
_OWN = ("core", "explorer")
_LIBRARIES = (
    "pandas",
    "pyarrow",
    "pyarrow.pandas_compat",
    "pyarrow.vendored.version",
    "narwhals._interchange.dataframe",
    "numpy.ctypeslib",
    "plotly.animation",
    "plotly.io._utils",
    "plotly.offline",
    "tokenizers.implementations",
    "tokenizers.models",
    "tokenizers.pre_tokenizers",
    "tokenizers.trainers",
    "latex2mathml.converter",
    "sacrebleu.tokenizers.tokenizer_13a",
    "sacrebleu.tokenizers.tokenizer_char",
    "sacrebleu.tokenizers.tokenizer_re",
    "sacrebleu.tokenizers.tokenizer_zh",
    "streamlit.emojis",
)
"""What our modules, Streamlit's and those of other libraries import within functions.

torch's own compiler is not one of them: it takes a second, and torch brings it in when an optimiser is made, which in
the server only the page Train does, to measure an update. Whoever does so meanwhile waits at the same import for all
of it.
"""


@cache
def import_everything() -> None:
    """Import all modules of the project and all libraries that it uses; seconds, once in the life of a process."""
    for name in (*_LIBRARIES, *_own_modules()):
        import_module(name)
    # torch alone brings a quarter of a million objects that never die; without this every full collection visits them.
    gc.collect()
    gc.freeze()


def _own_modules() -> list[str]:
    paths = sorted(path for folder in _OWN for path in (_PROJECT / folder).rglob("*.py"))
    names = (".".join(path.relative_to(_PROJECT).with_suffix("").parts) for path in paths)
    return [name.removesuffix(".__init__") for name in names if not name.endswith(".__main__")]
