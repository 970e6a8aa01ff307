// The message from Python: a JSON header, and numbers as they are, or JSON alone.

/** float32 values with the length of each axis. */
export type Numbers = Float32Array & { shape: number[] };
interface Layout { name: string; shape: number[]; offset: number }
/** One byte a value, with the length of each axis. */
export type Codes = Uint8Array & { shape: number[] };
export interface Payload<Header> { header: Header; arrays: Record<string, Numbers>; codes: Record<string, Codes> }

/** Splits the message into its JSON header, its named float32 arrays, and its named arrays of bytes. */
export function readPayload<Header>(bytes: Uint8Array): Payload<Header> {
  // A copy, because the bytes may start anywhere in a larger buffer and a Float32Array must start at a multiple of 4.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson<Header & { arrays: Layout[]; codes?: Layout[] }>(new Uint8Array(buffer, 4, length));
  const start = bodyStart(length);
  const arrays: Record<string, Numbers> = {}, codes: Record<string, Codes> = {};
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

/** A message that is JSON alone. */
export function readJson<Message>(bytes: Uint8Array): Message {
  return JSON.parse(new TextDecoder().decode(bytes)) as Message;
}

/** Where the numbers begin after a header of so many bytes. */
export function bodyStart(length: number): number { return 4 + Math.ceil(length / 4) * 4; }

/** How many values an array of this shape has. */
export function sizeOf(shape: number[]): number { return shape.reduce((product, size) => product * size, 1); }
