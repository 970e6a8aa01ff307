"""The values of one forward pass: a read-only mapping from site name to tensor."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from safetensors.torch import save
from torch import Tensor

from core.activations.derived import DERIVATIONS, normalized
from core.activations.location import locate
from core.activations.sites import TOKEN_AXES, Site, axis_sizes, sites
from core.config import TransformerConfig
from core.errors import CaptureError, ExplorerError, RunError, UnknownSite, excerpt
from core.files import read_bounded, shown, write_whole
from core.notebook import html_table
from core.numbers import counted
from core.safetensors_file import read_metadata, read_tensors

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = 1
METADATA = "activations"
"""The name of the text in a file that says what its tensors are."""
MAX_BYTES = 2**31
"""The size of a file that is read, where nobody asks for another limit."""
MOST_ROWS = 40
"""Sites that a notebook shows."""


class Activations(Mapping[str, Tensor]):
    """What `record` caught. It holds values, never the model that made them.

    Derived sites are computed when first read, from the recorded values that they are functions of.
    """

    def __init__(
        self, wanted: tuple[Site, ...], values: dict[str, Tensor], config: TransformerConfig
    ) -> None:
        self._wanted = {site.name: site for site in wanted}
        self._values = values
        self._config = config

    def __getitem__(self, name: str) -> Tensor:
        site = self.site(name)
        if name in self._values:
            return self._values[name]
        missing = next((part for part in taps_behind(site) if part not in self._values), None)
        if missing is not None:
            raise UnknownSite(f"{missing!r} did not come up in this forward pass")
        value = self._derive(site)
        self._values[name] = value
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(
            [
                name
                for name, site in self._wanted.items()
                if all(part in self._values for part in taps_behind(site))
            ]
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add_encoder_of(self, others: "Activations") -> None:
        """Add the values of the encoder's sites from another forward pass over the same source."""
        behind = {part for site in self._wanted.values() for part in taps_behind(site)}
        for name, value in others._values.items():
            if locate(name).stack == "encoder" and (name in behind or name in self._wanted):
                self._values.setdefault(name, value)

    def site(self, name: str) -> Site:
        """The catalogue's entry of a recorded site.

        Raises:
            UnknownSite: when the site was not asked for.
        """
        if name not in self._wanted:
            raise UnknownSite(f"{name!r} was not recorded; name it in record(model, …)")
        return self._wanted[name]

    def select(self, name: str, **positions: int) -> Tensor:
        """One site with some axes fixed by name: ``select("….weights", batch=0, head=2)``.

        Raises:
            CaptureError: when the site has no such axis, or the position is outside of it.
        """
        axes, value = list(self.site(name).axes), self[name]
        for axis, position in positions.items():
            if axis not in axes:
                raise CaptureError(f"{name!r} has the axes {', '.join(self.site(name).axes)}, not {axis!r}")
            where = axes.index(axis)
            if not -value.shape[where] <= position < value.shape[where]:
                raise CaptureError(
                    f"{axis} {position} is outside of {name!r}, which has {value.shape[where]}"
                )
            value = value.select(where, position)
            axes.pop(where)
        return value

    def to_frame(self, name: str, **positions: int) -> "DataFrame":
        """One site as a pandas frame: a column for each axis that is not fixed, and one for the value.

        ``to_frame("….weights", batch=0, head=2)`` has the columns query, key and value.

        Raises:
            CaptureError: as `select`.
        """
        # Whoever records need not have pandas.
        from pandas import DataFrame

        value = self.select(name, **positions).detach().cpu()
        axes = [axis for axis in self.site(name).axes if axis not in positions]
        places = torch.ones_like(value, dtype=torch.bool).nonzero().unbind(1) if axes else ()
        columns = {axis: place.numpy() for axis, place in zip(axes, places, strict=True)}
        # numpy has no bfloat16.
        numbers = value.float() if value.dtype == torch.bfloat16 else value
        return DataFrame(columns | {"value": numbers.flatten().numpy()})

    def save(self, path: Path | str) -> None:
        """Write the values, and what they are of, as one safetensors file.

        Raises:
            RunError: when it cannot be written.
        """
        taps = {name: value for name, value in self._values.items() if name not in self._derived}
        # Clones: where nothing happens between two taps, they have seen the same memory, which no file may share.
        tensors = {name: value.detach().cpu().contiguous().clone() for name, value in taps.items()}
        about = {"format": FORMAT, "model": asdict(self._config), "sites": list(self._wanted)}
        write_whole(Path(path), save(tensors, metadata={METADATA: json.dumps(about)}))

    @classmethod
    def load(cls, path: Path | str, *, max_bytes: int = MAX_BYTES) -> Self:
        """Read what `save` has written; nothing in the file is trusted.

        Raises:
            RunError: when it is too large, damaged, or its values are not those of the model that it names.
        """
        path = Path(path)
        stored = read_bounded(path, max_bytes)
        values = read_tensors(stored, shown(path))
        try:
            about = json.loads(read_metadata(stored)[METADATA])
            if about["format"] != FORMAT:
                raise RunError(f"it is not of format {FORMAT}")
            config = TransformerConfig.from_dict(about["model"])
            wanted = _named_sites(config, about["sites"])
            _check_values(config, wanted, values)
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            why = str(error) if isinstance(error, ExplorerError) else "it does not say what it holds"
            raise RunError(f"{shown(path)} holds no activations that can be used: {why}") from error
        return cls(wanted, values, config)

    def __repr__(self) -> str:
        """How many sites there are, and how large they are together."""
        return f"<Activations: {counted(len(self), 'site')}, {self._n_bytes():,} bytes>"

    def _repr_html_(self) -> str:
        """The sites with their axes and sizes, the first MOST_ROWS of them."""
        names = list(self)
        rows = [
            (name, " × ".join(self._wanted[name].axes), self._wanted[name].meaning)
            for name in names[:MOST_ROWS]
        ]
        more = [(f"and {len(names) - MOST_ROWS:,} more",)] if len(names) > MOST_ROWS else []
        return html_table(repr(self).strip("<>"), [*rows, *more], head=("site", "axes", "meaning"))

    @property
    def _derived(self) -> set[str]:
        return {name for name, site in self._wanted.items() if site.derived}

    def _n_bytes(self) -> int:
        return sum(value.nbytes for value in self._values.values())

    def _derive(self, site: Site) -> Tensor:
        operands = [self._values[part] for part in site.inputs]
        if site.operation == "normalize":
            return normalized(operands[0], self._config.norm_eps)
        return DERIVATIONS[site.operation](*operands)


def taps_behind(site: Site) -> tuple[str, ...]:
    """The taps that must be seen for a site to be known: its own, or those of a derived site's inputs."""
    return site.inputs if site.derived else (site.name,)


def _named_sites(config: TransformerConfig, names: Any) -> tuple[Site, ...]:
    """The sites of these names.

    Raises:
        RunError: when the model has no such site.
    """
    catalogue = {site.name: site for site in sites(config)}
    for name in names:
        if name not in catalogue:
            raise RunError(f"its model has no site {excerpt(str(name))}")
    return tuple(catalogue[name] for name in dict.fromkeys(names))


def _check_values(config: TransformerConfig, wanted: tuple[Site, ...], values: Mapping[str, Tensor]) -> None:
    """Every value belongs to what was recorded, and has the sizes that the model gives its axes.

    Raises:
        RunError: when one does not.
    """
    catalogue = {site.name: site for site in sites(config)}
    needed = {part for site in wanted for part in taps_behind(site)}
    lengths: dict[str, int] = {}  # Of the batch and of both sides: what the model does not say.
    for name, value in values.items():
        if name not in needed:
            raise RunError(f"{excerpt(name)} is not one of its sites")
        site = catalogue[name]
        if value.dim() != len(site.axes):
            raise RunError(f"{name} has {value.dim()} axes in place of {len(site.axes)}")
        is_mask = value.dtype == torch.bool
        if is_mask != (site.operation == "mask") or not (is_mask or value.is_floating_point()):
            raise RunError(f"{name} is of type {value.dtype}")
        for axis, size in zip(site.axes, value.shape, strict=True):
            lengths.setdefault(site.side(axis) if axis in TOKEN_AXES else axis, size)
    free = {axis: lengths.get(axis, 1) for axis in ("batch", "source", "target")}
    sizes = axis_sizes(config, batch=free["batch"], src_length=free["source"], tgt_length=free["target"])
    for name, value in values.items():
        if (expected := catalogue[name].shape(sizes)) != tuple(value.shape):
            raise RunError(f"{name} has the shape {list(value.shape)} in place of {list(expected)}")
