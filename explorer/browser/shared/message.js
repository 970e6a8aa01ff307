// Made from message.ts by "make browser".
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const arrays = {}, codes = {};
  let at = bodyStart(length);
  for (const [name, shape] of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, at, sizeOf(shape)), { shape });
    at += arrays[name].byteLength;
  }
  for (const [name, shape] of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, at, sizeOf(shape)), { shape });
    at += codes[name].byteLength;
  }
  return { header, arrays, codes };
}
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function bodyBytes({ arrays, codes = [] }) {
  const sizes = (layout) => layout.reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
  return 4 * sizes(arrays) + sizes(codes);
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}
