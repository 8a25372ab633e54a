import type { Json, JsonObject } from "@cogency/protocol";
import { readModelJson } from "@cogency/protocol/host";

/** A value that a model wrote, with its JSON text without layout, or what is wrong with the text, in a sentence for the model. */
type ReadModelJson<Value> = { value: Value; json: string; problem?: undefined } | { problem: string };

/**
 * Reads a JSON object that a model wrote outside of the text protocol, by the rules of that: what `JSON.parse` would lose without a
 * word is refused, such as digits of a number or a key that is given twice.
 *
 * @param what whose JSON it is, with its verb: `The arguments of read are`
 */
export function objectOfModel(what: string, text: string): ReadModelJson<JsonObject> {
  return readAs(what, text, "object") as ReadModelJson<JsonObject>;
}

/** As {@link objectOfModel}, for any JSON value. */
export function valueOfModel(what: string, text: string): ReadModelJson<Json> {
  return readAs(what, text, "value");
}

function readAs(what: string, text: string, wants: "object" | "value"): ReadModelJson<Json> {
  const { json, fault } = readModelJson(text, { wants });
  if (json !== undefined) return { value: JSON.parse(json), json };
  const { message, position } = fault;
  const isWanted = wants === "object" ? objectIn(text) !== undefined : parsed(text) !== undefined;
  if (isWanted) return { problem: `${what} not valid at character ${position + 1}: ${message}.` };
  return {
    problem: `${what} not ${wants === "object" ? "a JSON object" : "JSON"}: ${message} (character ${position + 1}).`,
  };
}

/** The object that `JSON.parse` reads in the text, whatever it loses; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}

/** What `JSON.parse` reads in the text; undefined if it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
