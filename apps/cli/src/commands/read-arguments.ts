import { text } from "node:stream/consumers";
import type { JsonObject } from "@cogency/protocol";
import { UsageError } from "../base/errors/usage-error.ts";
import { oneLine } from "../base/terminal/text.ts";

/**
 * Reads the arguments of a call: a JSON object, or `-` for one on stdin.
 *
 * @throws UsageError for anything else
 */
export async function readArguments(argument: string): Promise<JsonObject> {
  const json = argument === "-" ? await text(process.stdin) : argument;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw notAnObject(`no JSON: ${oneLine((error as Error).message, 200)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notAnObject("no JSON object");
  return value as JsonObject;
}

function notAnObject(problem: string): UsageError {
  return new UsageError(`The arguments are ${problem}. Write a JSON object, such as '{"file":"notes.txt"}'.`);
}
