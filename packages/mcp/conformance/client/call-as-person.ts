import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { Question, Tool, ToolContext } from "@cogency/tools";

/** Calls a tool as an agent does, with a person who accepts each question with the values that it proposes. */
export async function callAsPerson(tool: Tool, args: JsonObject): Promise<unknown> {
  const context: ToolContext = {
    call: { id: crypto.randomUUID(), name: tool.name, args, group: "conformance" } as unknown as ToolContext["call"],
    signal: AbortSignal.timeout(120_000),
    state: { events: [], metadata: {}, step: 1, usage: {} as ToolContext["state"]["usage"] },
    conversation: "conformance",
    user: undefined,
    progress() {},
    ask: (async ({ schema }: Question) => proposed(schema as JsonSchema | undefined)) as unknown as ToolContext["ask"],
  };
  return tool.execute(args, context);
}

function proposed(schema: JsonSchema | undefined): Json {
  if (!schema) return "yes";
  const { default: value, enum: choices, properties } = schema as Record<string, Json>;
  if (value !== undefined) return value;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (!properties || typeof properties !== "object") return null;
  const answers = Object.entries(properties).map(([name, each]) => [name, proposed(each as JsonSchema)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => answer !== null));
}
