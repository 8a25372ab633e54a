import type { Json } from "@cogency/protocol";

/** Bounds of a value that is copied. */
export interface JsonLimits {
  /** Objects and lists inside each other. */
  readonly depth: number;
  /** Values of all objects and lists together. */
  readonly values: number;
  /** Characters of all texts and keys together. */
  readonly text: number;
}

/**
 * A copy as plain JSON, made within limits: one object that stands in it a thousand times counts a thousand times, so that what is small
 * in memory and endless as text ends here. A property without a value is left out, as JSON does it.
 *
 * @throws Error with what is wrong and under which key
 */
export function plainJson(value: unknown, limits: JsonLimits): Json {
  let values = 0;
  let text = 0;
  return copy(value, "", 0);

  function copy(part: unknown, path: string, depth: number): Json {
    if (++values > limits.values) throw new Error(`it has more than ${limits.values} values`);
    if (part === null || typeof part === "boolean") return part;
    if (typeof part === "string") return counted(part);
    if (typeof part === "number" && Number.isFinite(part)) return part;
    if (typeof part !== "object") throw new Error(`${path || "it"} is no JSON: ${typeof part}`);
    if (depth >= limits.depth) throw new Error(`it has more than ${limits.depth} objects inside each other`);
    if (Array.isArray(part)) return Array.from(part, (one, index) => copy(one, `${path}[${index}]`, depth + 1));
    const own: [string, Json][] = [];
    for (const [key, one] of Object.entries(part)) {
      if (one === undefined) continue;
      if (key === "__proto__") throw new Error("it has a key `__proto__`");
      own.push([counted(key), copy(one, path === "" ? key.slice(0, 60) : `${path}.${key.slice(0, 60)}`, depth + 1)]);
    }
    return Object.fromEntries(own);
  }

  function counted(part: string): string {
    text += part.length;
    if (text > limits.text) throw new Error(`its texts have more than ${limits.text} characters`);
    return part;
  }
}
