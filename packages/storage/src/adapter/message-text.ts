import type { Json } from "@cogency/protocol";
import { StoreError } from "../errors.ts";
import type { InboxMessage } from "../inbox.ts";
import { copyJson } from "./copy-json.ts";
import { jsonWithin } from "./json-size.ts";

/**
 * Returns a message as the JSON text that a store keeps while the message waits: with well-formed strings (protocol.md P13)
 * and sorted keys, so that two messages are the same if their texts are equal. Keep no more than a hash of the text once
 * the message is taken. An adapter must call it before its first `await`.
 *
 * @throws StoreError `invalid_message` for a value that JSON would drop or change, or whose JSON has more than
 * `maxStoredBytes`
 */
export function messageText(message: InboxMessage): string {
  const clean: Json = copyJson(message, (problem) => {
    throw invalid(problem);
  });
  return jsonWithin(
    () => canonicalJson(clean),
    (problem, options) => {
      throw invalid(problem, options);
    },
  );
}

function invalid(problem: string, options?: ErrorOptions): StoreError {
  return new StoreError("invalid_message", `The message cannot be stored: ${problem}`, options);
}

/** The JSON text of a value, the same whatever order its keys were written in: keys sorted by UTF-16 code units. */
function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(byKey);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}

function byKey([one]: [string, Json], [other]: [string, Json]): number {
  return one < other ? -1 : 1;
}
