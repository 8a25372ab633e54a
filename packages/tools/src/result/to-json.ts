import type { Json } from "@cogency/protocol";

/**
 * Turns any value into JSON, and replaces parts that JSON cannot hold (protocol.md §4):
 *
 * - `undefined`, functions and symbols → `null`, in objects too; bigint → its digits; NaN and the infinities → their names
 * - an error → its message; otherwise `toJSON` is called, so a date → ISO string
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
    // Before `toJSON`: in some libraries that of an error returns whole requests, with secrets.
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

  /** `Object.fromEntries` defines its keys, so that a key `__proto__` stays plain data. */
  function fromEntries(entries: [string, unknown][]): Json {
    return Object.fromEntries(entries.map(([key, inner]) => [key.toWellFormed(), convert(inner)]));
  }

  return convert(value);
}

/** A value cannot be written as JSON. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
  readonly code: "cycle" | "too_deep" | "too_large";

  constructor(code: "cycle" | "too_deep" | "too_large", problem: string) {
    super(`The value cannot be written as JSON: ${problem}.`);
    this.code = code;
  }
}

/** A results block nests the content two levels deep, and readers refuse more than 256 levels (protocol.md P15). */
const maxDepth = 254;

/** Values in all: an object that is referenced many times is written out each time. */
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

function hasStringKey(entry: [unknown, unknown]): entry is [string, unknown] {
  return typeof entry[0] === "string";
}
