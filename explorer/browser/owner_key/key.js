// This browser's secret: 32 random bytes, kept for this site and told to its server.

const PLACE = "transformer-explorer-owner";

export default function ({ parentElement, setStateValue }) {
  if (parentElement.isTold) return;
  parentElement.isTold = true;
  const secret = ownSecret();
  // What is reported while a component is being built may be lost.
  setTimeout(() => setStateValue("secret", secret));
}

function ownSecret() {
  const made = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const kept = localStorage.getItem(PLACE);
    if (/^[0-9a-f]{64}$/.test(kept ?? "")) return kept;
    localStorage.setItem(PLACE, made);
    return localStorage.getItem(PLACE) ?? made;
  } catch {
    // A browser that keeps nothing is known until its page is loaded again.
    return made;
  }
}
