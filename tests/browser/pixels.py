"""What colour a picture has at a place of the window."""

from playwright.sync_api import Page

_PIXEL = """([x, y]) => {
  const canvas = document.elementFromPoint(x, y).shadowRoot.elementFromPoint(x, y);
  const { left, top, width } = canvas.getBoundingClientRect(), ratio = canvas.width / width;
  const pixel = canvas.getContext("2d").getImageData((x - left) * ratio, (y - top) * ratio, 1, 1).data;
  return [...pixel].slice(0, 3);
}"""


def pixel_at(page: Page, x: float, y: float) -> tuple[int, int, int]:
    """Red, green and blue of the canvas that lies there."""
    red, green, blue = page.evaluate(_PIXEL, [x, y])
    return red, green, blue


def near(colour: str, pixel: tuple[int, int, int]) -> bool:
    """Whether a pixel has a colour, written as #RRGGBB, but for rounding."""
    wanted = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return all(abs(one - other) <= 3 for one, other in zip(wanted, pixel, strict=True))
