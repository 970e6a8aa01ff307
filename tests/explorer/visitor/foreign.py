"""Records of a visitor's choices with one field more than the project's, as the documented recipe adds it."""

from dataclasses import fields, make_dataclass, replace
from typing import Any

from explorer.visitor.declared import choice
from explorer.visitor.forms import text_of

FOREIGN, KEPT = "foreign", "kept"


def with_foreign_field(record: Any) -> Any:
    """Return the record with a further choice, which has been made."""
    name = f"{FOREIGN}_{type(record).__name__.lower()}"
    added = choice("", link=name, form=text_of("[a-z]*"))
    kind = make_dataclass(
        f"{type(record).__name__}WithForeignField",
        [(FOREIGN, str, added)],
        bases=(type(record),),
        frozen=True,
    )
    return kind(**{field.name: getattr(record, field.name) for field in fields(record)}, foreign=KEPT)


def with_foreign_fields(state: Any, *records: str) -> Any:
    """Return the state with a further choice in each of its records that are named."""
    return replace(state, **{name: with_foreign_field(getattr(state, name)) for name in records})


def has_kept(record: Any) -> bool:
    """Return True if the record still has the further choice."""
    return getattr(record, FOREIGN, None) == KEPT
