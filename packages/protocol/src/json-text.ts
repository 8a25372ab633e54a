import type { Json } from "./json.ts";

/**
 * The JSON text of a value that JSON can hold, such that the parser accepts it again: lone surrogates become U+FFFD
 * (protocol.md P13), and integers beyond the safe range are written with an exponent, because a plain literal of that
 * size is refused (protocol.md P15).
 */
export function jsonText(value: Json): string {
  const text = JSON.stringify(value);
  // Both need a walk, and both leave a trace in the text that hardly any text has.
  return loneSurrogate.test(text) || longInteger.test(text) ? written(value) : text;
}

const loneSurrogate = /\\ud[89a-f]/;
const longInteger = /\d{16}/;

function written(value: Json): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.toWellFormed());
    case "number":
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : JSON.stringify(value);
    case "object": {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      return `{${members.map(([key, member]) => `${JSON.stringify(key.toWellFormed())}:${written(member)}`).join(",")}}`;
    }
    default:
      return JSON.stringify(value);
  }
}
