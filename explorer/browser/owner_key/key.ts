// This browser's secret: 32 random bytes, kept for this site and told to its server.

import type { Component } from "../shared/mount";

const PLACE = "transformer-explorer-owner";
const told = new WeakSet<Component["parentElement"]>();

export default function ({ parentElement, setStateValue }: Component): void {
  if (told.has(parentElement)) return;
  told.add(parentElement);
  const secret = ownSecret();
  // What is reported while a component is being built may be lost.
  setTimeout(() => setStateValue("secret", secret));
}

function ownSecret(): string {
  const made = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  try {
    const kept = localStorage.getItem(PLACE) ?? "";
    if (/^[0-9a-f]{64}$/.test(kept)) return kept;
    localStorage.setItem(PLACE, made);
    return localStorage.getItem(PLACE) ?? made;
  } catch {
    // A browser that keeps nothing is known until its page is loaded again.
    return made;
  }
}
