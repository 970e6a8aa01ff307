// Style sheets of components. Python serves their texts with the bundle (`explorer/browser/assets.py`).

import theme from "theme.css";
import type { Draw } from "./mount";

const sheets = new Map<string, CSSStyleSheet>();

/** Draws a component whose tree has these styles, after the colours of both themes. */
export function styled(draw: Draw, ...styles: string[]): Draw {
  return (component) => {
    const { parentElement } = component,
      tree = parentElement instanceof ShadowRoot ? parentElement : document;
    for (const text of [theme, ...styles]) {
      const sheet = sheetOf(text);
      if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets.push(sheet);
    }
    return draw(component);
  };
}

function sheetOf(text: string): CSSStyleSheet {
  const known = sheets.get(text);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}
