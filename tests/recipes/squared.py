"""The edits that the recipe for a variant asks for: hidden units that are squared after the non-linearity.

Each is a file, a text that stands in it, and what stands there instead.
"""

_SETTING = (
    (
        "core/config.py",
        "    causal: bool = True\n",
        "    square_hidden: bool = False\n"
        '    """Square the hidden units of the feed-forward network; the paper does not."""\n'
        "    causal: bool = True\n",
    ),
    (
        "core/training/arguments.py",
        '    "norm_eps": "',
        '    "square_hidden": "square the hidden units",\n    "norm_eps": "',
    ),
    (
        "explorer/histories/runs_table.py",
        '"causal",',
        '"causal", "square_hidden",',
    ),
)
_CHOICE = tuple(
    edit
    for file in ("core/model/encoder.py", "core/model/decoder.py")
    for edit in (
        (
            file,
            "from core.model.feed_forward import FeedForward\n",
            "from core.model.squared_feed_forward import feed_forward\n",
        ),
        (file, "self.feed_forward = FeedForward(config)", "self.feed_forward = feed_forward(config)"),
    )
)
_VALUES = (
    ("core/activations/sites.py", '    "activation",\n', '    "activation",\n    "square",\n'),
    ("core/activations/sites.py", "else _feed_forward(path, x)", "else _feed_forward(path, x, config)"),
    (
        "core/activations/sites.py",
        "def _feed_forward(path: str, x: str)",
        "def _feed_forward(path: str, x: str, config: TransformerConfig)",
    ),
    (
        "core/activations/sites.py",
        '    yield Site(hidden, HIDDEN, "The hidden units, after the non-linearity.", "activation", (before,))\n',
        "    bent = f'{path}.bent' if config.square_hidden else hidden\n"
        '    yield Site(bent, HIDDEN, "The hidden units, after the non-linearity.", "activation", (before,))\n'
        "    if config.square_hidden:\n"
        '        yield Site(hidden, HIDDEN, "The hidden units, squared.", "square", (bent,))\n',
    ),
    (
        "core/explanation/operations.py",
        "OPERATIONS: dict[",
        '''def square(cell: Cell) -> Derivation:
    """A number times itself."""
    _, p, u = cell.index
    b = Symbol("b")[P, U]
    x = cell.recorded(b, cell.site.inputs[0], *cell.index)
    return derive(Equation(Symbol("g")[P, U], b**2), x, places={P: p, U: u}, labels=("squared",))


OPERATIONS: dict[''',
    ),
    ("core/explanation/operations.py", '    "copy": copy,\n', '    "copy": copy,\n    "square": square,\n'),
)
_ROOM = "explorer/views/feed_forward/data.py"
_STAGE = (
    (
        _ROOM,
        '        "hidden": recorded.tensor(f"{path}.hidden"),\n',
        '        "hidden": recorded.tensor(f"{path}.hidden"),\n'
        '        **({"bent": recorded.tensor(f"{path}.bent")} if config.square_hidden else {}),\n',
    ),
    (
        _ROOM,
        'Panel("pre", "before", ROWS, WIDE),\n                Panel("hidden", "hidden", ROWS, WIDE)',
        'Panel("pre", "before", ROWS, WIDE),\n'
        '                Panel("bent" if config.square_hidden else "hidden", "hidden", ROWS, WIDE)',
    ),
    (
        _ROOM,
        '        Stage(\n            "output",\n',
        '        *(_SQUARE if config.square_hidden else ()),\n        Stage(\n            "output",\n',
    ),
    (
        _ROOM,
        "def _stages(",
        """_SQUARE = (
    Stage(
        "square",
        "Square",
        "map",
        (Panel("bent", "before", ROWS, WIDE), Panel("hidden", "hidden", ROWS, WIDE)),
        formula="g = b²",
        note="Each hidden unit times itself.",
        arrows=("times itself",),
    ),
)


def _stages(""",
    ),
)
_LAWS = (
    (
        "tests/core/variants.py",
        '    "float32": ',
        '    "squared": replace(TINY, square_hidden=True),\n    "float32": ',
    ),
)
VARIANT_EDITS = (*_SETTING, *_CHOICE, *_VALUES, *_STAGE, *_LAWS)
