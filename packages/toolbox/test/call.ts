import type { Json, JsonObject, LogEvent } from "@cogency/protocol";
import type { Tool, ToolContext } from "@cogency/tools";

/** The `ask` of a context in which no tool asks. */
export const nobodyAnswers: ToolContext["ask"] = () => Promise.reject(new Error("nobody answers"));

/** The schema of a tool refuses the arguments, so that its body does not run. */
export class ArgumentsRefused extends Error {}

/** Makes one call as an executor does: it checks the arguments, then runs the body. */
export async function call(
  tool: Tool,
  args: JsonObject,
  signal = new AbortController().signal,
  progress: (update: Json) => void = () => {},
  events: readonly LogEvent[] = [],
): Promise<unknown> {
  const validation = await tool.validate(args);
  if (!validation.ok) {
    throw new ArgumentsRefused(validation.issues.map(({ path, message }) => `${path}: ${message}`).join("; "));
  }
  return tool.execute(validation.args, {
    call: { name: tool.name, args, id: "call_1" },
    signal,
    state: {
      events,
      metadata: {},
      step: 1,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    },
    conversation: "test",
    user: undefined,
    progress,
    ask: nobodyAnswers,
  });
}
