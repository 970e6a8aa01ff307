// Made from message.ts by "make browser".
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const start = bodyStart(length);
  const arrays = {}, codes = {};
  let end = start;
  for (const { name, shape, offset } of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, start + 4 * offset, sizeOf(shape)), { shape });
    end += 4 * sizeOf(shape);
  }
  for (const { name, shape, offset } of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, end + offset, sizeOf(shape)), { shape });
  }
  return { header, arrays, codes };
}
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}
