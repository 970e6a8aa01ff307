"""The tasks that a model can learn, by name."""

from core.data.tasks.copy_letters import CopyLetters
from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.task import Example, Pair, Task
from core.errors import ConfigError

TASKS: dict[str, Task] = {task.name: task for task in (CopyLetters(), EnglishToFrench())}

__all__ = ["TASKS", "Example", "Pair", "Task", "get_task"]


def get_task(name: str) -> Task:
    """Return the task of that name.

    Raises:
        ConfigError: there is no such task.
    """
    if name not in TASKS:
        raise ConfigError(f"choose one of the tasks {', '.join(TASKS)}, not {name!r}")
    return TASKS[name]
