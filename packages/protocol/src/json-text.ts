import type { Json } from "./json.ts";
import { parseEscapedKeys } from "./json-strings.ts";

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
  // Both need a walk, and both leave a trace in the text that hardly any text has.
  return loneSurrogate.test(text) || longInteger.test(text) ? acceptable(parseEscapedKeys(text)) : text;
}

const loneSurrogate = /\\ud[89a-f]/;
const longInteger = /(?:^|[:,[])-?\d{16}/;

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

/** The text of plain data, without lone surrogates and unsafe integer literals. */
function acceptable(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return value.toExponential();
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(acceptable).join(",")}]`;
  const members = Object.entries(value).map(([key, member]) => `${acceptable(key)}:${acceptable(member)}`);
  return `{${members.join(",")}}`;
}
