import type { JsonObject } from "@cogency/protocol";
import { isObject, objectIn, objectOfModel, parsed } from "../model-json.ts";

/**
 * Finds the one JSON object in the text of a model: the whole text, else its only fenced block, else the only object in it that
 * braces enclose. Nothing is repaired.
 *
 * @throws Error if there is none, or more than one; the message is for the model
 */
export function jsonObjectIn(text: string): JsonObject {
  if (text.trim() === "") throw new Error("The output is empty.");
  const read = objectOfModel("The output is", objectTextIn(text));
  if (read.problem !== undefined) throw new Error(read.problem);
  return read.value;
}

/** The part of the text that is to be the object. One that loses something counts, too. */
function objectTextIn(text: string): string {
  const whole = parsed(text);
  if (whole !== undefined && !isObject(whole)) throw new Error(`The output is ${kindOf(whole)}, not a JSON object.`);
  if (whole !== undefined) return text;
  const blocks = [...text.matchAll(fencedBlock)].map(([, block = ""]) => block);
  const [fenced] = blocks;
  if (fenced !== undefined && blocks.length === 1 && objectIn(fenced)) return fenced;
  const enclosed = enclosedTexts(text);
  const objects = enclosed.filter(objectIn);
  if (objects.length > 1) throw new Error(`The output holds ${objects.length} JSON objects instead of one.`);
  return objects[0] ?? enclosed[0] ?? text;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

const fencedBlock = /^[ \t]*```\w*[ \t]*\n(.*?)\n[ \t]*```[ \t]*$/gms;

/** The texts between an outermost brace and the one that closes it, in one pass. */
function enclosedTexts(text: string): string[] {
  const found: string[] = [];
  let start = text.indexOf("{");
  while (start !== -1) {
    const end = endOfObject(text, start);
    if (end === undefined) break;
    found.push(text.slice(start, end));
    start = text.indexOf("{", end);
  }
  return found;
}

/** The end of what begins with the brace at `start`. Braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (!isString && character === "{") depth++;
    else if (!isString && character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
