// The message from Python: a JSON header, and numbers as they are, or JSON alone.

/** float32 values with the length of each axis. */
export type Numbers = Float32Array & { shape: number[] };
type Layout = [name: string, shape: number[]];
/** What a header says of the numbers behind it. */
export interface Layouts {
  arrays: Layout[];
  codes?: Layout[];
}
/** One byte a value, with the length of each axis. */
export type Codes = Uint8Array & { shape: number[] };
export interface Payload<Header> {
  header: Header;
  arrays: Record<string, Numbers>;
  codes: Record<string, Codes>;
}

/** Splits the message into its JSON header, its named float32 arrays, and its named arrays of bytes. */
export function readPayload<Header>(bytes: Uint8Array): Payload<Header> {
  // A copy, because the bytes may start anywhere in a larger buffer and a Float32Array must start at a multiple of 4.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson<Header & Layouts>(new Uint8Array(buffer, 4, length));
  const arrays: Record<string, Numbers> = {},
    codes: Record<string, Codes> = {};
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

/** A message that is JSON alone. */
export function readJson<Message>(bytes: Uint8Array): Message {
  return JSON.parse(new TextDecoder().decode(bytes)) as Message;
}

/** Where the numbers begin after a header of so many bytes. */
export function bodyStart(length: number): number {
  return 4 + Math.ceil(length / 4) * 4;
}

/** How many bytes the numbers take. */
export function bodyBytes({ arrays, codes = [] }: Layouts): number {
  const sizes = (layout: Layout[]) => layout.reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
  return 4 * sizes(arrays) + sizes(codes);
}

/** How many values an array of this shape has. */
export function sizeOf(shape: number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
