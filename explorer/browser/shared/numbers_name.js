const NAME_BYTES = 16;

/** A name of numbers that stands in a message, as text. */
function nameAt(bytes, start) {
  return [...bytes.subarray(start, start + NAME_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
