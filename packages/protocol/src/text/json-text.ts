import { compactJson } from "./json-strings.ts";

/**
 * Writes a value as JSON text that the parser accepts: lone surrogates become U+FFFD (protocol.md P13), and integers
 * beyond the safe range get an exponent, because the parser refuses a plain literal of that size (protocol.md P15).
 * `undefined`, a function and a symbol become null, a bigint becomes a string (protocol.md §4).
 *
 * @throws TypeError for a cycle, RangeError for nesting that is too deep, and anything that a getter throws
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, explicit);
  return unacceptable.test(text) ? acceptableJson(text) : text;
}

/**
 * Rewrites JSON text as the parser accepts it: no white space, lone surrogates or integer literals beyond the safe
 * range.
 */
export function acceptableJson(json: string): string {
  return compactJson(json, rewriteNumbers);
}

/** Matches where a lone surrogate or a long integer may stand. A false match only costs time. */
const unacceptable = /\\ud[89a-f]|(?:^|[:,[])-?\d{16}/;

function rewriteNumbers(structure: string): string {
  return structure.replace(/[\t\n\r ]+|-?\d[^,\]}\t\n\r ]*/g, (found) => {
    if (found < "!") return "";
    return /[.e]/i.test(found) || Number.isSafeInteger(Number(found)) ? found : Number(found).toExponential();
  });
}

function explicit(_key: string, value: unknown): unknown {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "undefined":
    case "function":
    case "symbol":
      return null;
    default:
      return value;
  }
}
