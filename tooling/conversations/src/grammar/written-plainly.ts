import { type Dialect, formatCalls, type Json, type JsonObject, type ToolCall, type ToolSpec } from "@cogency/protocol";

/** The calls as the grammar writes them: only the keys that the schema lists, in its order. */
export function writtenPlainly(calls: readonly ToolCall[], tools: readonly ToolSpec[], dialect: Dialect): string {
  const plain = calls.map(({ name, args }) => {
    const { parameters } = tools.find((one) => one.name === name) as ToolSpec;
    return { name, args: plainValue(args, parameters) as JsonObject };
  });
  return formatCalls(plain, { dialect });
}

interface Schema {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
}

function plainValue(given: Json, { type, properties, items }: Schema): Json {
  // In XML every argument is text, which is JSON where the schema wants no string.
  const value: Json = typeof given === "string" && type !== "string" ? JSON.parse(given) : given;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, (items ?? {}) as Schema));
  if (typeof value !== "object" || value === null || properties === undefined) return value;
  const listed = Object.entries(properties as Record<string, Schema>).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(listed.map(([name, schema]) => [name, plainValue(value[name] as Json, schema)]));
}
