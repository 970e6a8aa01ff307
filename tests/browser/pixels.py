"""What colour a picture has at a place of the window."""

from playwright.sync_api import Locator, Page

_PIXEL = """([x, y]) => {
  const canvas = document.elementFromPoint(x, y).shadowRoot.elementFromPoint(x, y);
  const { left, top, width } = canvas.getBoundingClientRect(), ratio = canvas.width / width;
  const pixel = canvas.getContext("2d").getImageData((x - left) * ratio, (y - top) * ratio, 1, 1).data;
  return [...pixel].slice(0, 3);
}"""

_PIXEL_IN = """(node, [across, down, dx, dy]) => {
  const box = node.getBoundingClientRect(), canvas = node.getRootNode().querySelector(".stage > canvas");
  const { left, top, width } = canvas.getBoundingClientRect(), ratio = canvas.width / width;
  const x = box.left + across * box.width + dx - left, y = box.top + down * box.height + dy - top;
  return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3);
}"""


def pixel_at(page: Page, x: float, y: float) -> tuple[int, int, int]:
    """Red, green and blue of the canvas that lies there."""
    red, green, blue = page.evaluate(_PIXEL, [x, y])
    return red, green, blue


def pixel_in(part: Locator, across: float, down: float, dx: float = 0, dy: float = 0) -> tuple[int, int, int]:
    """The same of a stop's picture, at a share of a part's width and height and so many pixels beside it.

    Found and read at once, so that a page that is still being laid out cannot move it meanwhile.
    """
    red, green, blue = part.evaluate(_PIXEL_IN, [across, down, dx, dy])
    return red, green, blue


def near(colour: str, pixel: tuple[int, int, int]) -> bool:
    """Whether a pixel has a colour, written as #RRGGBB, but for rounding."""
    wanted = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return all(abs(one - other) <= 3 for one, other in zip(wanted, pixel, strict=True))
