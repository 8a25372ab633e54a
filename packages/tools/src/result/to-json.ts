import type { Json } from "@cogency/protocol";

/**
 * Turns any value into JSON, making explicit what JSON cannot hold (protocol.md §4):
 *
 * - `undefined`, functions and symbols → `null`, in objects too; bigint → its digits; NaN and the infinities → their names
 * - errors become their message; otherwise `toJSON` is honoured, so dates become ISO strings
 * - a Map with string keys → object, another Map → array of `[key, value]`; a Set or an array of numbers → array
 * - binary data → a short description with its size
 * - lone surrogates → U+FFFD
 *
 * @throws NotJsonError for a cycle, for nesting deeper than 254 levels, and for more than a million values
 */
export function toJson(value: unknown): Json {
  const ancestors = new Set<object>();
  let remaining = maxValues;

  function convert(value: unknown): Json {
    remaining -= 1;
    if (remaining < 0) throw new NotJsonError("too_large", `it holds more than ${maxValues} values`);
    if (typeof value !== "object" || value === null) return primitive(value);
    if (ancestors.has(value)) throw new NotJsonError("cycle", "it contains itself (a cycle)");
    if (ancestors.size >= maxDepth) throw new NotJsonError("too_deep", `it is nested deeper than ${maxDepth} levels`);
    ancestors.add(value);
    const json = container(value);
    ancestors.delete(value);
    return json;
  }

  function container(value: object): Json {
    const bytes = byteLength(value);
    if (bytes !== undefined) return `[binary data, ${bytes} bytes]`;
    // Before toJSON: the errors of some libraries show whole requests there, keys included.
    if (value instanceof Error) return primitive(value.message || value.name);
    const replacement = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON("") : value;
    if (replacement !== value) return convert(replacement);
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return primitive(value.valueOf());
    if (value instanceof Map) return fromMap(value);
    if (isList(value)) return Array.from(value, convert);
    return fromEntries(Object.entries(value));
  }

  function fromMap(map: Map<unknown, unknown>): Json {
    const entries = [...map];
    return entries.every(hasStringKey) ? fromEntries(entries) : entries.map(convert);
  }

  /** `Object.fromEntries` defines its keys, so that even a key `__proto__` stays plain data. */
  function fromEntries(entries: [string, unknown][]): Json {
    return Object.fromEntries(entries.map(([key, inner]) => [key.toWellFormed(), convert(inner)]));
  }

  return convert(value);
}

/** A value that JSON cannot hold at all. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
  readonly code: "cycle" | "too_deep" | "too_large";

  constructor(code: "cycle" | "too_deep" | "too_large", problem: string) {
    super(`The value cannot be written as JSON: ${problem}.`);
    this.code = code;
  }
}

/** In a results block the content is two levels down, and readers refuse more than 256 (protocol.md P15). */
const maxDepth = 254;

/** A value shared many times over is written out each time; this bounds how far. */
const maxValues = 1_000_000;

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

/** The size of what is bytes rather than numbers. */
function byteLength(value: object): number | undefined {
  const isBytes =
    value instanceof Uint8Array ||
    value instanceof Uint8ClampedArray ||
    value instanceof DataView ||
    value instanceof ArrayBuffer;
  return isBytes ? value.byteLength : undefined;
}

/** Views of bytes have been dealt with: what is left holds numbers. */
function isList(value: object): value is Iterable<unknown> {
  return Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value);
}

function hasStringKey(entry: [unknown, unknown]): entry is [string, unknown] {
  return typeof entry[0] === "string";
}
