/**
 * Parses JSON in which a server may send the arguments of a call as an object. Such an object keeps the numbers as the model wrote them,
 * which `JSON.parse` would round without a word: see {@link sourceText}.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseKeepingSource(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => object };
  // Not every runtime tells the source of a number. Most texts have no number that could be rounded.
  if (!rawJSON || !mayBeRounded.test(text)) return JSON.parse(text);
  const raws = new Map<object, number>();
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  const value = parse(text, (key, value, context) => {
    if (typeof value === "number" && context?.source !== undefined && !isKept(context.source, value)) {
      const raw = rawJSON(context.source);
      raws.set(raw, value);
      return raw;
    }
    if (!argumentKeys.has(key) || typeof value !== "object" || value === null || raws.has(value)) return value;
    const source = JSON.stringify(value);
    return Object.defineProperty(rounded(value, raws), sourceKey, { value: source });
  });
  return raws.size === 0 ? value : rounded(value, raws);
}

/** The JSON text of arguments that came as an object, with the numbers as they were sent. */
export function sourceText(args: object): string {
  return (args as { [sourceKey]?: string })[sourceKey] ?? JSON.stringify(args);
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const sourceKey = Symbol("source");

/** How the wires name arguments: Gemini, OpenAI, Anthropic. */
const argumentKeys: ReadonlySet<string> = new Set(["args", "arguments", "input"]);

const mayBeRounded = /\d{15}|\d[eE]|\d\.\d{14}/;

/** Whether a number means what its text says: written as JavaScript writes it, or a decimal that is equal to it. */
function isKept(source: string, value: number): boolean {
  return Number.isFinite(value) && (String(value) === source || JSON.stringify(value) === source);
}

/** Puts the numbers in place of their sources, in place. */
function rounded<T>(value: T, raws: ReadonlyMap<object, number>): T {
  if (typeof value !== "object" || value === null) return value;
  if (raws.has(value)) return raws.get(value) as T;
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== "object" || entry === null) continue;
    const plain = rounded(entry, raws);
    if (plain !== entry) (value as Record<string, unknown>)[key] = plain;
  }
  return value;
}
