// Tokens and numbers as they are shown.

// Tokens are untrusted: spaces and invisible characters (a bidi override could turn its neighbours round) become
// marks. Joiners stay, they shape letters. Text reaches the page only through textContent, never as markup.
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  const marked = token.replace(/\s/g, "␣").replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
  return clip(marked, 80);
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}
function tail(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? "…" + letters.slice(1 - length).join("") : text;
}

function fixed(value, decimals) {
  if (Number.isNaN(value)) return "NaN";
  const sign = value < 0 ? "−" : "";
  return sign + (Number.isFinite(value) ? Math.abs(value).toFixed(decimals) : "∞");
}
function formatProbability(value) {
  if (value > 0 && value < 0.0001) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}
/** Three decimals, or four significant digits outside 0.001 to 9999, such as 2.4 · 10⁻⁷. */
function formatSigned(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0 || (size >= 0.001 && size <= 9999)) return fixed(value, 3);
  const [mantissa, exponent] = size.toExponential(3).split("e");
  return `${value < 0 ? "−" : ""}${mantissa.replace(/\.?0+$/, "")} · 10${raised(Number(exponent))}`;
}
/** An exponent as it stands beside its base. */
function raised(exponent) { return String(exponent).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]); }
function formatCount(value) { return value.toLocaleString("en-US"); }
function plural(count, word) { return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`; }
