// Whether Streamlit's page is light or dark.

export type Theme = "light" | "dark";
export type Channels = readonly [red: number, green: number, blue: number];

/** Told from Streamlit's own page colour; put it on the root element as data-look. */
export function themeOf(root: Element): Theme {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = "#fff";
  context.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return luminance([red, green, blue]) < 0.18 ? "dark" : "light";
}

/** Relative luminance of WCAG 2, from red, green and blue of 0 to 255. */
export function luminance(colour: Channels): number {
  const [red, green, blue] = colour.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
