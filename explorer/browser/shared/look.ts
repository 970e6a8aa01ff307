// Colours of the current theme, for what is drawn on a canvas.

import { luminance, themeOf } from "./theme";
import type { Channels } from "./theme";

const CANVAS_ROLES = [
  "bg",
  "well",
  "line",
  "line2",
  "ink",
  "ink2",
  "mute",
  "link",
  "source",
  "source-tint",
  "source-line",
  "target",
  "target-tint",
  "target-line",
  "on-target",
  "q",
  "k",
  "v",
  "hatch",
  "positive",
  "negative",
  "error",
] as const;
const STOPS = [0, 1, 2, 3, 4, 5];

export type RampName = "weight" | "plus" | "minus";
/** 256 colours, each with its readable text colour. */
export interface Ramp {
  fill: string[];
  text: string[];
  pixels: Uint32Array;
}
export type Look = Record<(typeof CANVAS_ROLES)[number], string> & {
  ramps: Record<RampName, Ramp>;
  errorPixel: number;
  family: string;
};

/** The roles that a canvas needs, and the three ramps as 256 ready colours each with its readable text colour. */
export function readLook(root: HTMLElement): Look {
  root.dataset.look = themeOf(root);
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const roles = Object.fromEntries(CANVAS_ROLES.map((name) => [name, read(name)])) as Record<
    (typeof CANVAS_ROLES)[number],
    string
  >;
  const ramp = (name: RampName) => makeRamp(STOPS.map((i) => read(`${name}-${i}`)));
  const ramps = { weight: ramp("weight"), plus: ramp("plus"), minus: ramp("minus") };
  return { ...roles, ramps, errorPixel: pixelOf(channels(roles.error)), family: style.fontFamily };
}

/** The colours between six that are written in hexadecimal digits. */
export function makeRamp(colours: string[]): Ramp {
  const stops = colours.map(channels),
    fill: string[] = [],
    text: string[] = [],
    pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * 5,
      left = Math.min(4, Math.floor(place));
    const [red, green, blue] = stops[left].map((c, k) =>
      Math.round(c + (stops[left + 1][k] - c) * (place - left)),
    );
    const mixed: Channels = [red, green, blue],
      light = luminance(mixed);
    pixels[i] = pixelOf(mixed);
    fill.push(`rgb(${mixed.join()})`);
    // Black or white, whichever has the higher WCAG contrast.
    text.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  return { fill, text, pixels };
}

function pixelOf([red, green, blue]: Channels): number {
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}
function channels(hex: string): Channels {
  const at = (i: number) => parseInt(hex.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Which of a ramp's 256 colours stands at a place from 0 to 1. */
export function rampIndex(place: number): number {
  return Math.round(255 * Math.min(1, Math.max(0, place)));
}

/** Sizes a canvas for the screen's pixels; the caller draws in device pixels, so that edges stay crisp. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): { context: CanvasRenderingContext2D; ratio: number } {
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  return { context: canvas.getContext("2d")!, ratio };
}
