// How numbers are named that travel by themselves.

export const NAME_BYTES = 16;

/** A name of numbers that stands in a message, as text. */
export function nameAt(bytes: Uint8Array, start: number): string {
  return [...bytes.subarray(start, start + NAME_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
