// Sends a request and reads its answer.

import { keptNames, take } from "../kept/numbers";
import { readJson } from "../shared/message";
import { pageAt } from "./place";

/** Numbers of the last reports, by series. */
export interface Last {
  views: number;
  box: number;
}
export interface Question {
  address: string;
  part: string;
  event: string;
  report: unknown;
  links: Record<string, string>;
  last: Last;
}
/** messages: by paths of modules; where they lack their numbers, the browser has those. opens: page to open. isWhole: false if Streamlit has to draw the page. hasSlow: whether slow components are left. */
export interface Answer {
  address: string;
  opens: string;
  isWhole: boolean;
  hasSlow: boolean;
  messages: Map<string, Uint8Array>;
}

const FIRST_MS = 250,
  LONGEST_MS = 4000, // between two tries
  PATIENCE_MS = 60_000; // for one answer
const NEVER = new Set([400, 403, 404, 405, 413, 500]); // statuses of requests that will not be answered

interface Header {
  address: string;
  opens: string;
  is_whole: boolean;
  has_slow: boolean;
  parts: [path: string, bytes: number][];
}

/** Read an answer: length of the header, header, messages. */
export function readAnswer(buffer: ArrayBuffer): Answer {
  const length = new DataView(buffer).getUint32(0, true),
    header = readJson<Header>(new Uint8Array(buffer, 4, length));
  let start = 4 + length;
  const messages = new Map<string, Uint8Array>();
  for (const [path, bytes] of header.parts) {
    // A copy, because arrays of floats must begin at a multiple of four.
    const message = new Uint8Array(buffer.slice(start, start + bytes));
    if (path) messages.set(path, message);
    else take(message);
    start += bytes;
  }
  const { address, opens, is_whole: isWhole, has_slow: hasSlow } = header;
  return { address, opens, isWhole, hasSlow, messages };
}

/** Send a request once; null if it is refused, false if there was no answer. */
async function send(
  route: string,
  body: string,
  stopped: AbortSignal[],
): Promise<ArrayBuffer | null | false> {
  const headers = { "Content-Type": "application/json" },
    signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...stopped]);
  try {
    const response = await fetch(route, { method: "POST", headers, body, signal });
    if (response.ok) return await response.arrayBuffer();
    return NEVER.has(response.status) ? null : false;
  } catch {
    return false;
  }
}

/** Send a request until it is answered; null if it is refused or stopped, or the page is left. */
export async function fetchAnswer(
  route: string,
  question: Question,
  { fails, isLeft, signal }: { fails: () => void; isLeft: () => boolean; signal?: AbortSignal },
): Promise<Answer | null> {
  const body = JSON.stringify({ ...question, page: pageAt(route), has: keptNames() });
  for (let wait = FIRST_MS; !isLeft(); wait = Math.min(LONGEST_MS, 2 * wait)) {
    const content = await send(route, body, signal ? [signal] : []);
    if (content === null || signal?.aborted) return null;
    if (content) return readAnswer(content);
    fails();
    await new Promise((done) => setTimeout(done, wait));
  }
  return null;
}
