"""The view on paper."""

from collections.abc import Iterator

from explorer.views.lengths.data import columns

from explorer.explaining.scene import Scene
from explorer.worksheets.document import Block, table_of


def blocks(scene: Scene) -> Iterator[Block]:
    """The table as the page draws it."""
    yield table_of(columns(scene.recorded), ("token",))
