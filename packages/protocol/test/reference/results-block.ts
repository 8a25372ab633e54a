import { skipSpace } from "./characters.ts";
import { jsonText } from "./json-text.ts";
import { readValue, type Source, type Value } from "./json-value.ts";
import { Cut, Refusal } from "./refusal.ts";

export interface Results {
  /** The JSON text of the results. */
  content: string;
  count: number;
  successes: number;
}

/**
 * P8, `results: "allow"`: the array of results in `text`, the text between the markers; undefined if it is anything else.
 * The limits of P15 do not hold here: they are for text that a model writes.
 */
export function readResultsText(text: string): Results | undefined {
  const value = readWhole(text);
  if (!Array.isArray(value) || !value.every(isResult)) return undefined;
  const successes = value.filter((result) => memberOf(result, "status") === "success").length;
  return { content: jsonText(value), count: value.length, successes };
}

function readWhole(text: string): Value | undefined {
  const at = skipSpace(text, 0);
  // A number at the very end could go on, but a number is not an array of results.
  const source: Source = { text, at, repair: false, limits: false, structureOnly: false, repaired: false };
  try {
    const value = readValue(source, 0);
    return skipSpace(text, source.at) === text.length ? value : undefined;
  } catch (problem) {
    if (problem instanceof Refusal || problem instanceof Cut) return undefined;
    throw problem;
  }
}

/** §1: `content` is any value on success and an error message on failure. */
function isResult(value: Value): boolean {
  const content = memberOf(value, "content");
  if (typeof memberOf(value, "tool") !== "string" || content === undefined) return false;
  const status = memberOf(value, "status");
  return status === "success" || (status === "failure" && typeof content === "string");
}

/** If two members have the same key, the last one counts, as for JSON.parse. */
function memberOf(value: Value, key: string): Value | undefined {
  if (value === null || typeof value !== "object" || !("members" in value)) return undefined;
  return value.members.findLast(([name]) => name === key)?.[1];
}
