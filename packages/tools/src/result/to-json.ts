import type { Json } from "@cogency/protocol";
import { ToolError } from "../errors.ts";

/**
 * Turns any value into JSON, and replaces parts that JSON cannot hold (protocol.md §4):
 *
 * - `undefined`, functions and symbols → `null`, in objects too; bigint → its digits; NaN and the infinities → their names
 * - an error → its message; otherwise `toJSON` is called, so a date → ISO string
 * - a Map with string keys → object, another Map → array of `[key, value]`; a Set or an array of numbers → array
 * - binary data → a short description with its size
 * - lone surrogates → U+FFFD
 *
 * @throws ToolError `cycle`, `too_deep`, `too_large`: for a cycle, for nesting deeper than 254 levels, for more than 200,000 values (items and members, at every
 * level) and for more than 32 Mi characters of text, keys included. What is too large is refused before it is read whole.
 */
export function toJson(value: unknown): Json {
  const ancestors = new Set<object>();
  let remaining = maxValues;
  let characters = maxCharacters;

  /** Refuses a container before its values are read. */
  function reserve(count: number): void {
    if (count > remaining) throw tooLarge(`${maxValues} values`);
  }

  function counted(text: string): string {
    characters -= text.length;
    if (characters < 0) throw tooLarge(`${maxCharacters} characters`);
    return text.toWellFormed();
  }

  function convert(value: unknown): Json {
    remaining -= 1;
    if (remaining < 0) throw tooLarge(`${maxValues} values`);
    if (typeof value === "string") return counted(value);
    if (typeof value !== "object" || value === null) return primitive(value);
    if (ancestors.has(value)) throw notJson("cycle", "it contains itself (a cycle)");
    if (ancestors.size >= maxDepth) throw notJson("too_deep", `it is nested deeper than ${maxDepth} levels`);
    ancestors.add(value);
    const json = container(value);
    ancestors.delete(value);
    return json;
  }

  function container(value: object): Json {
    const bytes = byteLength(value);
    if (bytes !== undefined) return `[binary data, ${bytes} bytes]`;
    // Before `toJSON`: in some libraries that of an error returns whole requests, with secrets.
    if (value instanceof Error) return counted(String(value.message || value.name));
    const replacement = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON("") : value;
    if (replacement !== value) return convert(replacement);
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return primitive(value.valueOf());
    if (value instanceof Map) return fromMap(value);
    if (isList(value)) {
      reserve(sizeOf(value));
      return Array.from(value, convert);
    }
    const keys = Object.keys(value);
    reserve(keys.length);
    return fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
  }

  function fromMap(map: Map<unknown, unknown>): Json {
    reserve(map.size);
    const entries = [...map];
    return entries.every(hasStringKey) ? fromEntries(entries) : entries.map(convert);
  }

  /** `Object.fromEntries` defines its keys, so that a key `__proto__` stays plain data. */
  function fromEntries(entries: [string, unknown][]): Json {
    return Object.fromEntries(entries.map(([key, inner]) => [counted(key), convert(inner)]));
  }

  return convert(value);
}

/** A results block nests the content two levels deep, and readers refuse more than 256 levels (protocol.md P15). */
const maxDepth = 254;

/** Values in all: an object that is referenced many times is written out each time. */
const maxValues = 200_000;

/** Characters (UTF-16 units) of all texts and keys. */
const maxCharacters = 32 * 1024 * 1024;

function notJson(code: "cycle" | "too_deep" | "too_large", problem: string): ToolError {
  return new ToolError(code, `The value cannot be written as JSON: ${problem}.`, {});
}

function tooLarge(limit: string): ToolError {
  return notJson(
    "too_large",
    `it holds more than ${limit}, the limit of one result. Return a part of it, or write it to a file and return its name`,
  );
}

function primitive(value: unknown): Json {
  switch (typeof value) {
    case "string":
      return value.toWellFormed();
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return String(value);
    case "boolean":
      return value;
    default:
      return null;
  }
}

/** The size of binary data; undefined for other values. */
function byteLength(value: object): number | undefined {
  const isBytes =
    value instanceof Uint8Array ||
    value instanceof Uint8ClampedArray ||
    value instanceof DataView ||
    value instanceof ArrayBuffer;
  return isBytes ? value.byteLength : undefined;
}

/** Whether the value becomes an array. Call it after `byteLength`: the remaining views hold numbers. */
function isList(value: object): value is Iterable<unknown> {
  return Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value);
}

function sizeOf(list: Iterable<unknown>): number {
  const { length, size } = list as { length?: number; size?: number };
  return length ?? size ?? 0;
}

function hasStringKey(entry: [unknown, unknown]): entry is [string, unknown] {
  return typeof entry[0] === "string";
}
