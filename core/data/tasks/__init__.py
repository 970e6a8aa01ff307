"""The tasks that a model can learn, by name."""

from core.data.tasks.dates import Dates
from core.data.tasks.en_de_numbers import EnglishToGermanNumbers
from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.letters import CopyLetters, ReverseLetters, SortLetters
from core.data.tasks.task import Compositional, Contrasting, Example, Pair, Task
from core.errors import ConfigError

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        CopyLetters(),
        ReverseLetters(),
        SortLetters(),
        EnglishToGermanNumbers(),
        Dates(),
        EnglishToFrench(),
    )
}

__all__ = ["TASKS", "Compositional", "Contrasting", "Example", "Pair", "Task", "get_task"]


def get_task(name: str) -> Task:
    """Return the task of that name.

    Raises:
        ConfigError: there is no such task.
    """
    if name not in TASKS:
        raise ConfigError(f"choose one of the tasks {', '.join(TASKS)}, not {name!r}")
    return TASKS[name]
