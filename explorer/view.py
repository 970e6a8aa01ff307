"""What a view is: one thing that is looked at, with everything that the app asks of it, and the registry of all views.

The type lies low so that all may know it. `explorer.app` fills the one registry from the rooms and hands it down:
navigation, addresses, the parts that lessons light, the glossary's links, worksheets and the panel derive from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.activations.location import Kind, Location, Stack, Sublayer
    from core.config import TransformerConfig
    from explorer.browser.explain_panel import ExplanationData
    from explorer.explaining.formula import Formula, Sizes
    from explorer.explaining.scene import Numbers, Scene
    from explorer.models.recorded import Recorded
    from explorer.tensors import Side, TensorViewData
    from explorer.visitor.state import ExplorerState
    from explorer.worksheets.document import Block

LEARN = "Learn"
"""Place of the views that lead through the others, so that lessons go only to those that have parts of their own."""
HOME = "home"
"""Key of the first view, whose address is empty."""
INSPECTOR = "tensors"
"""Key of the view that shows any tensor of a model."""
STOP = "stop_view"
"""Key of the component of every stop; the browser keeps it while it goes from one to the next."""
WHAT_IF = "what-if"
"""Key of the view that changes the running model."""
TRAIN = "train"
"""Key of the view that shows a training, which its links name."""
HOME_PAGE = "pages/home/watch.py"
"""File of the first view's screen."""
MISTAKES_PAGE = "pages/training/mistakes.py"
"""File of the screen of a model's mistakes, to which those of its training lead."""
WAYS_INTO = (
    (HOME_PAGE, "Look inside", ":material/visibility:"),
    (MISTAKES_PAGE, "See its mistakes", ":material/rule:"),
)
"""Ways from a run into the model: page, label, icon."""
HOME_ADDRESSES = ("translate", "map")
"""Other addresses of the first view, which are in links."""


class Words(Protocol):
    """What is said beside a view, at four depths: what the module `words` of its room has."""

    @property
    def IDEA(self) -> str:  # noqa: N802 (a constant of a module)
        """What it does and why it is there, in two sentences."""

    def numbers(self, scene: Scene) -> Numbers:
        """The sentences filled with numbers of the run that is looked at."""

    def formula(self, sizes: Sizes) -> Formula:
        """In the paper's letters, and with the sizes of the run."""

    def functions(self, config: TransformerConfig) -> tuple[Callable[..., object], ...]:
        """The functions of `core` that a model with a configuration runs here, in their order."""


@dataclass(frozen=True)
class Contents:
    """The contents of a view.

    Attributes:
        words: None where nothing is said beside it.
        stages: What its tensor view is fed for a recorded run and a visitor's choices; None where it has none.
        sheet: The same view of a recorded run on paper; None where it has none, or a document of its own.
        document: A worksheet of another kind as HTML, from its title, the visitor's choices and the view's address.
        explanation: What the panel shows of a number that this view owns; None where it is a recorded run's.
    """

    words: Words | None = None
    stages: Callable[[Recorded, ExplorerState], TensorViewData] | None = None
    sheet: Callable[[Scene], Iterable[Block]] | None = None
    document: Callable[[str, ExplorerState, str], str] | None = None
    explanation: Callable[[ExplorerState], ExplanationData] | None = None


def _always(state: ExplorerState) -> bool:
    return True


def _of_target(state: ExplorerState) -> Side:
    return "target"


def never(state: ExplorerState) -> bool:
    """Says of a view that it has no worksheet."""
    return False


@dataclass(frozen=True)
class Subject:
    """The values and parameters that a view is about; what is left out fits all.

    Attributes:
        kinds: What their modules are.
        stack: The half of the model that they stand in.
        sublayer: Of the layers.
        only: Which values of the modules; all but these where `but` has them.
        but: Values that another view shows.
    """

    kinds: tuple[Kind, ...]
    stack: Stack | None = None
    sublayer: Sublayer | None = None
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def __contains__(self, where: Location) -> bool:
        return (
            where.kind in self.kinds
            and self.stack in (None, where.stack)
            and self.sublayer in (None, where.sublayer)
            and (not self.only or where.value in self.only)
            and where.value not in self.but
        )


SENTENCE_PARTS: Mapping[str, str] = {"sentence": "sentence_bar", "words": "depth_card"}
"""Parts of every view that is about a sentence; the first is the frame's."""


@dataclass(frozen=True)
class View:
    """One thing that is looked at.

    Attributes:
        key: Its name in code and in lessons, and the address of its page; `HOME` for the first one.
        title: Of its page, and of the links to it.
        place: Entry of the navigation bar that has it in its menu.
        line: What the menu says of it, in at most 44 letters.
        lead: What its page shows, in one sentence, which stands beside the title.
        unmasked_lead: The same of a model without a causal mask, where that differs.
        page: File of its screen.
        parts: What a lesson may light, by the names in its file: keys of containers or components on the page.
        subject: Values and parameters that are shown here; the first view of the registry that shows one has it.
        is_block: Whether it is a block of the paper's figure.
        explains: Whether numbers of a model are explained beside it.
        forks: Whether it follows the forced tokens of a visitor's branch; otherwise it shows what the model says
            by itself.
        prints: Whether there is a worksheet of it, with a visitor's choices.
        row_side: Whose tokens its rows are, with a visitor's choices: a row of the target is a step.
        contents: What it is made of.
    """

    key: str
    title: str
    place: str
    line: str
    page: str
    parts: Mapping[str, str] = field(default_factory=dict)
    subject: Subject | None = None
    is_block: bool = False
    explains: bool = True
    forks: bool = True
    prints: Callable[[ExplorerState], bool] = _always
    row_side: Callable[[ExplorerState], Side] = _of_target
    contents: Contents = Contents()
    lead: str = ""
    unmasked_lead: str = ""

    def lead_for(self, config: TransformerConfig) -> str:
        """Return what its page shows of a model, in one sentence."""
        return self.lead if config.causal or not self.unmasked_lead else self.unmasked_lead

    @property
    def address(self) -> str:
        """The path of its page."""
        return "" if self.key == HOME else self.key

    @property
    def reads_sentence(self) -> bool:
        """Whether it is about a sentence, so that the bar of the sentence stands above it."""
        return SENTENCE_PARTS.items() <= self.parts.items()

    def owns(self, where: Location) -> bool:
        """Whether a value or a parameter is shown here."""
        return self.subject is not None and where in self.subject


class Registry(Mapping[str, View]):
    """All views by their keys, in the order of the menus.

    Raises:
        ValueError: when two views have one key.
    """

    def __init__(self, views: Sequence[View]) -> None:
        self._views = {view.key: view for view in views}
        if len(self._views) != len(views):
            raise ValueError("two views have the same key")

    def __getitem__(self, key: str) -> View:
        return self._views[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)

    def at(self, address: str) -> View:
        """The view whose page has an address; the first one's is empty.

        Raises:
            KeyError: when there is none.
        """
        return self._views[address or HOME]

    def places(self) -> dict[str, list[View]]:
        """Return the views by their place in the navigation bar."""
        found: dict[str, list[View]] = {}
        for view in self._views.values():
            found.setdefault(view.place, []).append(view)
        return found

    def showing(self, where: Location) -> View | None:
        """The view that a value or a parameter is shown in; None for what no model has."""
        return next((view for view in self._views.values() if view.owns(where)), None)
