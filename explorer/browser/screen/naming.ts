// Streamlit's messages on a page that updates by requests: Streamlit hears of no report, only of the address after it.

import { bodyStart, readJson } from "../shared/message";
import type { Last } from "./answer";

type Header = Record<string, unknown>;
const NAMES = { report: "views", submitted: "box" } as const; // fields of a header, with their series

/** Return a message that names these reports where it names earlier ones. */
export function naming(message: Uint8Array, last: Last): Uint8Array {
  const isPacked = message.length > 4 && message[4] === 0x7b && 4 + lengthOf(message) <= message.length,
    end = isPacked ? 4 + lengthOf(message) : message.length,
    header = readJson<Header>(message.subarray(isPacked ? 4 : 0, end));
  let isLate = false;
  for (const [field, series] of Object.entries(NAMES)) {
    const number = header[field];
    if (typeof number !== "number" || number >= last[series]) continue;
    header[field] = last[series];
    isLate = true;
  }
  if (!isLate) return message;
  const text = new TextEncoder().encode(JSON.stringify(header));
  if (!isPacked) return text;
  const body = message.subarray(bodyStart(lengthOf(message))),
    start = bodyStart(text.length),
    whole = new Uint8Array(start + body.length);
  new DataView(whole.buffer).setUint32(0, text.length, true);
  whole.set(text, 4);
  whole.set(body, start);
  return whole;
}

function lengthOf(message: Uint8Array): number {
  return new DataView(message.buffer, message.byteOffset).getUint32(0, true);
}
