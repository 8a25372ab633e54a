import { type Dialect, formatCalls, type ToolCall, type ToolSpec } from "@cogency/protocol";

/** The calls as the grammar writes them: only the arguments that the tool lists, in the order of its schema. */
export function writtenPlainly(calls: readonly ToolCall[], tools: readonly ToolSpec[], dialect: Dialect): string {
  const ordered = calls.map(({ name, args }) => {
    const tool = tools.find((one) => one.name === name);
    const listed = Object.keys((tool?.parameters.properties ?? {}) as object);
    const kept = listed.filter((argument) => Object.hasOwn(args, argument));
    return { name, args: Object.fromEntries(kept.map((argument) => [argument, args[argument] ?? null])) };
  });
  return formatCalls(ordered, { dialect });
}
