// Numbers as they are written, digit for digit as explorer/look/theme.py writes them.

/** So many decimals; what lies exactly between two such numbers becomes the even one, as in Python. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  return (value < 0 ? "−" : "") + (Number.isFinite(size) ? halfToEven(size, decimals) : "∞");
}

function halfToEven(size: number, decimals: number): string {
  const up = size.toFixed(decimals);
  // Only an odd number of halves of a power of two lies exactly between two decimal numbers.
  const isBetween = (size * 2 ** (decimals + 1)) % 2 === 1;
  return isBetween && /[13579]$/.test(up) ? (size - 0.75 * 10 ** -decimals).toFixed(decimals) : up;
}

/** Three decimals from 0.1, four below, and <0.0001 for what four would round away. */
export function formatProbability(value: number): string {
  if (value > 0 && value < 0.0001) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}

/** A share of counted things, as a probability; but what is not all never reads as all: 0.9998, >0.9999. */
export function formatShare(value: number): string {
  const text = formatProbability(value),
    finer = fixed(value, 4);
  if (value >= 1 || text !== "1.000") return text;
  return finer === "1.0000" ? ">0.9999" : finer;
}

/** A share as a number of percent. A share below 1 never reads as 100, and one above 0 never as 0. */
export function formatPercent(share: number): string {
  const text = fixed(100 * share, 1);
  if (share < 1 && text === "100.0") return ">99.9";
  return share > 0 && text === "0.0" ? "<0.1" : text.replace(/^(0|100)\.0$/, "$1");
}

/** Three decimals, or four significant digits outside 0.001 to 9999, such as 2.4 · 10⁻⁷. */
export function formatSigned(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0 || (size >= 0.001 && size <= 9999)) return fixed(value, 3);
  const [mantissa, exponent] = fourDigits(size).split("e");
  return `${value < 0 ? "−" : ""}${mantissa.replace(/\.?0+$/, "")} · 10${raised(Number(exponent))}`;
}

function fourDigits(size: number): string {
  // Twenty-one digits show whether a number is exactly between two of four.
  const between = /^(\d\.\d\d[02468])50*(e.*)$/.exec(size.toExponential(20));
  return between ? between[1] + between[2] : size.toExponential(3);
}

/** An exponent as it stands beside its base. */
export function raised(exponent: number): string {
  return String(exponent).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
}

/** A count with commas between thousands. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** So many of something. */
export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** A place in an order: 1st, 2nd, 3rd. */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  return `${place}${isTeen ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th")}`;
}
