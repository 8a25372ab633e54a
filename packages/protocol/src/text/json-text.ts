import { canonicalJson } from "./json-strings.ts";

/**
 * The JSON text of a value that JSON can hold, such that the parser accepts it again: lone surrogates become U+FFFD
 * (protocol.md P13), and integers beyond the safe range are written with an exponent, because a plain literal of that
 * size is refused (protocol.md P15). What JSON cannot hold but can stand for is made explicit: `undefined`, a function
 * or a symbol is null, a bigint a string (protocol.md §4).
 *
 * @throws TypeError for a cycle, RangeError for nesting that is too deep, and whatever a getter throws
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, explicit);
  return unacceptable.test(text) ? acceptableJson(text) : text;
}

/** JSON text as the parser accepts it: without white space, lone surrogates and integer literals beyond the safe range. */
export function acceptableJson(json: string): string {
  return canonicalJson(json, rewriteNumbers);
}

/** What a lone surrogate or a long integer leaves in the text, as hardly anything else does. */
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
