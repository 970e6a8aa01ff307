// Shared by every component: whether Streamlit's page is light or dark.

/** "light" or "dark", told from Streamlit's own page colour; put it on the root element as data-look. */
function themeOf(root) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  context.fillRect(0, 0, 1, 1);
  return luminance(context.getImageData(0, 0, 1, 1).data) < 0.18 ? "dark" : "light";
}

/** Relative luminance of WCAG 2, from red, green and blue of 0 to 255. */
function luminance([red, green, blue]) {
  const linear = [red, green, blue].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
