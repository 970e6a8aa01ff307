"""What the pages ask of a run's task; a run of a task that this program does not know still works."""

from functools import lru_cache

from core.data.tasks import TASKS, Contrasting, Example, Pair
from core.errors import InputError
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS

_OTHERS = {PAIRS: "Own pairs"}
"""Titles of what a run can learn besides the tasks: what somebody has brought."""


_LANGUAGES = {"en_fr": "of the same small grammar"}


_OUTSIDE = {
    "en_fr": (
        "outside the grammar",
        "This sentence is outside the small grammar that the model has learned from",
    ),
    "dates": (
        "not such a date",
        "This is not a day from 1900 to 2099 in one of the task's seven forms",
    ),
    "en_de_numbers": ("not such a number", "This is not a number up to 999,999 in English words"),
}


def why_unknown(task: str) -> tuple[str, str]:
    """Why the task's rules do not answer a source: in a few words, and in a sentence without its stop."""
    return _OUTSIDE.get(task, ("outside the task", "This is outside what the rules of the task speak of"))


def kin_of(task: str) -> str:
    """How held-out sources are related to those of training: a model that gets them right has learned no more."""
    return _LANGUAGES.get(task, "of the same kind")


def title_of(task: str) -> str:
    """The task's title, or its bare name."""
    return TASKS[task].title if task in TASKS else _OTHERS.get(task, task)


def run_title(name: str, run: RunDescription) -> str:
    """What people call a run: its own title, or its task's where it goes by the folder's name alone."""
    return title_of(run.task) if run.name == name else run.name


def can_read(run: RunDescription, source: str) -> bool:
    """Whether a run's model knows every token of a source, and not too many; a run of one's own may know few."""
    try:
        run.source_ids(source)
    except InputError:
        return False
    return not (run.reads_unknown and run.unknown_in(source))


def side_names(task: str) -> tuple[str, str]:
    """What the source and the target side are called."""
    return (TASKS[task].source_name, TASKS[task].target_name) if task in TASKS else ("Source", "Output")


def examples_of(task: str) -> tuple[Example, ...]:
    """Named sentences that show one thing each."""
    return TASKS[task].examples if task in TASKS else ()


def source_words(task: str) -> tuple[str, ...] | None:
    """Words or letters that occur in the task's sources, or None when that is not known."""
    return TASKS[task].source_words() if task in TASKS else None


@lru_cache(maxsize=256)
def reference(task: str, source: str) -> Pair | None:
    """The task's own answer to a source, with its gold alignment, or None when it has none."""
    return TASKS[task].reference(source) if task in TASKS else None


def contrasts_of(task: str, source: str) -> tuple[tuple[str, str], ...]:
    """Sources of as many tokens that differ from one in a single thing, each by what that is."""
    known = TASKS.get(task)
    return known.contrasts(source) if isinstance(known, Contrasting) else ()
