"""The values of one forward pass: a read-only mapping from site name to tensor."""

from collections.abc import Iterator, Mapping

from torch import Tensor

from core.activations.derived import DERIVATIONS, normalized
from core.activations.sites import Site
from core.errors import CaptureError, UnknownSite


class Activations(Mapping[str, Tensor]):
    """What `record` caught. It holds values, never the model that made them.

    Derived sites are computed when first read, from the recorded values that they are functions of.
    """

    def __init__(self, wanted: tuple[Site, ...], values: dict[str, Tensor], norm_eps: float) -> None:
        self._wanted = {site.name: site for site in wanted}
        self._values = values
        self._norm_eps = norm_eps

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

    def _derive(self, site: Site) -> Tensor:
        operands = [self._values[part] for part in site.inputs]
        if site.operation == "normalize":
            return normalized(operands[0], self._norm_eps)
        return DERIVATIONS[site.operation](*operands)


def taps_behind(site: Site) -> tuple[str, ...]:
    """The taps that must be seen for a site to be known: its own, or those of a derived site's inputs."""
    return site.inputs if site.derived else (site.name,)
