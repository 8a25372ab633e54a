import type { Json, ToolCall } from "@cogency/protocol";

/**
 * The arguments of a call as a person reads them, a line each: `from: 20`. What takes several lines stands below its name, indented by two
 * spaces.
 */
export function argumentLines({ args }: Pick<ToolCall, "args">): string[] {
  return Object.entries(args).flatMap(([name, value]) => linesOf(name, value ?? null));
}

function linesOf(name: string, value: Json): string[] {
  if (typeof value === "string") {
    const lines = value.replace(/\n$/, "").split("\n");
    return lines.length === 1 ? [`${name}: ${lines[0] || '""'}`] : [`${name}:`, ...lines.map(indented)];
  }
  const json = JSON.stringify(value);
  if (typeof value !== "object" || value === null || json.length <= shortest) return [`${name}: ${json}`];
  const items: [string, Json | undefined][] = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item])
    : Object.entries(value);
  return [`${name}:`, ...items.flatMap(([item, inner]) => linesOf(item, inner ?? null)).map(indented)];
}

/** Characters of a list that stays on its line. */
const shortest = 60;

function indented(line: string): string {
  return `  ${line}`.trimEnd();
}
