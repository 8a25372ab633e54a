import type { JsonObject } from "@cogency/protocol";

/**
 * Finds the one JSON object in the text of a model: the whole text, else its only fenced block, else the only object in it that
 * braces enclose. Nothing is repaired.
 *
 * @throws Error if there is none, or more than one; the message is for the model
 */
export function jsonObjectIn(text: string): JsonObject {
  if (text.trim() === "") throw new Error("The output is empty.");
  const whole = parsed(text);
  if (whole.value !== undefined) return objectOf(whole.value);
  const blocks = [...text.matchAll(fencedBlock)].map(([, block = ""]) => block);
  const fenced = blocks.length === 1 ? parsed(blocks[0] ?? "").value : undefined;
  if (isObject(fenced)) return fenced;
  const enclosed = enclosedTexts(text).map(parsed);
  const objects = enclosed.flatMap(({ value }) => (isObject(value) ? [value] : []));
  const [object] = objects;
  if (object && objects.length === 1) return object;
  if (objects.length > 1) throw new Error(`The output holds ${objects.length} JSON objects instead of one.`);
  throw new Error(`The output is not a JSON object: ${(enclosed[0] ?? whole).problem}`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): JsonObject {
  if (isObject(value)) return value;
  const kind = Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
  throw new Error(`The output is ${kind}, not a JSON object.`);
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

function parsed(text: string): { value?: unknown; problem: string } {
  try {
    return { value: JSON.parse(text), problem: "" };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
