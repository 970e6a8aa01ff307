// The message from Python, and the numbers of what is reported back.

/** Splits the message into its JSON header and its named float32 arrays. */
function readPayload(bytes) {
  // A copy, because the bytes may start anywhere in a larger buffer and a Float32Array must start at a multiple of 4.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = 4 + Math.ceil(length / 4) * 4;
  const arrays = {};
  for (const { name, shape, offset } of header.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    arrays[name] = Object.assign(new Float32Array(buffer, start + 4 * offset, count), { shape });
  }
  return { header, arrays };
}

/** The number after another report's: it grows also when the page is mounted anew, and both sides write it exactly. */
function reportAfter(last) { return Math.max(last + 1, Date.now()); }
