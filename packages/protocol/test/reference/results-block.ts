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
 * P8, `results: "allow"`: the array of results that `text`, which is what stands between the markers, holds; undefined if
 * that is not what it is. The limits of P15 are for what a model writes.
 */
export function readResultsText(text: string): Results | undefined {
  const value = readWhole(text);
  if (!Array.isArray(value) || !value.every(isResult)) return undefined;
  const successes = value.filter((result) => memberOf(result, "status") === "success").length;
  return { content: jsonText(value), count: value.length, successes };
}

function readWhole(text: string): Value | undefined {
  const at = skipSpace(text, 0);
  // A number at the very end could go on; no result is one.
  const source: Source = { text, at, repair: false, limits: false, structureOnly: false, repaired: false };
  try {
    const value = readValue(source, 0);
    return skipSpace(text, source.at) === text.length ? value : undefined;
  } catch (problem) {
    if (problem instanceof Refusal || problem instanceof Cut) return undefined;
    throw problem;
  }
}

/** §4: `content` is any value on success and an error message on failure. */
function isResult(value: Value): boolean {
  const content = memberOf(value, "content");
  if (typeof memberOf(value, "tool") !== "string" || content === undefined) return false;
  const status = memberOf(value, "status");
  return status === "success" || (status === "failure" && typeof content === "string");
}

/** Of members with the same key the last one counts, as for JSON.parse. */
function memberOf(value: Value, key: string): Value | undefined {
  if (value === null || typeof value !== "object" || !("members" in value)) return undefined;
  return value.members.findLast(([name]) => name === key)?.[1];
}
