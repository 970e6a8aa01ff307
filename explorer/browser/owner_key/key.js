// Made from key.ts by "make browser".
// explorer/browser/owner_key/key.ts
var PLACE = "transformer-explorer-owner";
var told = /* @__PURE__ */ new WeakSet();
function key_default({ parentElement, setStateValue }) {
  if (told.has(parentElement)) return;
  told.add(parentElement);
  const secret = ownSecret();
  setTimeout(() => setStateValue("secret", secret));
}
function ownSecret() {
  const made = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const kept = localStorage.getItem(PLACE) ?? "";
    if (/^[0-9a-f]{64}$/.test(kept)) return kept;
    localStorage.setItem(PLACE, made);
    return localStorage.getItem(PLACE) ?? made;
  } catch {
    return made;
  }
}
export default key_default;
