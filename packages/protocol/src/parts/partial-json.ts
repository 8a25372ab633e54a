import type { Json, JsonObject } from "../json.ts";

/**
 * The arguments of a call as far as they have been written: `text` is the `text` of a part in the state `writing`. What is no object, such
 * as arguments in XML, has no fields yet. Otherwise as `partialJson`.
 *
 * @example partialArgs('{"order":"A1","reason":"brok') is { order: "A1", reason: "brok" }
 */
export function partialArgs(text: string): JsonObject {
  const value = partialJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/**
 * What is known of a JSON value of which the beginning has come; undefined if nothing is. A text is cut, lists and objects are closed.
 * Numbers, keys and words such as `true` come when they are whole. Reads up to the first fault. The time grows with the length of the text.
 * Never throws.
 */
export function partialJson(text: string): Json | undefined {
  const start = spaceAfter(text, 0);
  const known = closed(text, start);
  try {
    return known.length === start ? undefined : JSON.parse(known);
  } catch {
    // Nested deeper than the engine reads.
    return undefined;
  }
}

/** The beginning of the text that holds whole values, with a closing bracket for each that is open. */
function closed(text: string, start: number): string {
  const closers: string[] = [];
  let wants: Wanted = "value";
  /** Up to here the text can be kept. */
  let kept = start;
  for (let at = start; ; at = spaceAfter(text, at)) {
    const next = text[at];
    if (next === undefined) break;
    const closer = closers.at(-1);
    const isKey: boolean = closer === "}" && (wants === "first" || wants === "key");
    if (next === closer && (wants === "first" || wants === "comma")) {
      kept = ++at;
      closers.pop();
      wants = "comma";
      if (closers.length === 0) break;
    } else if (wants === "comma" || wants === "colon") {
      if (next !== (wants === "comma" ? "," : ":")) break;
      at++;
      wants = wants === "comma" && closer === "}" ? "key" : "value";
    } else if (next === '"') {
      at = endOfString(text, at + 1);
      const isWhole = text[at] === '"';
      if (!isWhole && !isKey) return `${text.slice(0, at)}"${closers.reverse().join("")}`;
      if (!isWhole) break;
      at++;
      if (!isKey) kept = at;
      wants = isKey ? "colon" : "comma";
      if (closers.length === 0) break;
    } else if (isKey) {
      break;
    } else if (next === "{" || next === "[") {
      closers.push(next === "{" ? "}" : "]");
      kept = ++at;
      wants = "first";
    } else {
      scalar.lastIndex = at;
      if (!scalar.test(text)) break;
      kept = at = scalar.lastIndex;
      wants = "comma";
      if (closers.length === 0) break;
    }
  }
  return text.slice(0, kept) + closers.reverse().join("");
}

/** `first`: a key or a value, or the closing bracket. */
type Wanted = "value" | "first" | "key" | "colon" | "comma";

/** Where the string ends, or where it may be cut: between two characters. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (characters.lastIndex = at; characters.test(text); ) at = characters.lastIndex;
  return at;
}

/** Characters of a string that stay whatever follows: no half of an escape or of a pair of surrogates. */
const characters =
  /[ !#-[\]-\ud7ff\ue000-\uffff]+|[\ud800-\udbff](?!$)|[\udc00-\udfff]|\\["\\/bfnrt]|\\u(?![dD][89abAB])[\da-fA-F]{4}|\\u[dD][89abAB][\da-fA-F]{2}(?=[^\\]|\\[^u]|\\u[\da-fA-F]{4})/y;

/** A number is whole when something follows it. */
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}])/y;

function spaceAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  return at;
}
