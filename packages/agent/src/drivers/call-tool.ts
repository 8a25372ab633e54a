import type { JsonObject, LogEvent, ModelMessage, ToolCall, ToolSpec } from "@cogency/protocol";
import type { StepContext } from "./driver.ts";
import { isObject, objectOfModel } from "./model-json.ts";

/**
 * The tool through which a model with native tool calling calls the tools that it has found: its list of tools never changes. No call
 * of it is ever logged, approved or run: a call is the one that it holds.
 */
export const callTool: ToolSpec = {
  name: "call_tool",
  description: "Call a tool that find_tools has found, not one that you have.",
  parameters: {
    type: "object",
    properties: {
      name: { type: "string" },
      arguments: { type: "object", description: "Its arguments, as its parameters say; {} if it takes none." },
    },
    required: ["name", "arguments"],
    additionalProperties: false,
  },
};

/** The call that the arguments of `call_tool` hold, or what is wrong with them, for the model. */
export function realCall({
  name,
  arguments: args,
  ...others
}: JsonObject): (ToolCall & { json: string }) | { problem: string } {
  if (typeof name !== "string" || name === "") return problem("has no `name`");
  if (name === callTool.name) return problem("calls itself");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return problem(`has \`${unknown}\` beside \`name\` and \`arguments\``);
  if (isObject(args)) return { name, args, json: JSON.stringify(args) };
  if (typeof args !== "string") return problem("has no object of `arguments`");
  // Some models write the object as text.
  const read = objectOfModel("they are", args);
  if (read.problem === undefined) return { name, args: read.value, json: read.json };
  return problem(`has no object of \`arguments\` (${read.problem.replace(/\.$/, "")})`);
}

function problem(what: string): { problem: string } {
  const advice = 'Write {"name": "…", "arguments": {…}}, with {} if it takes no arguments.';
  return { problem: `The call of call_tool ${what}, so no call of this message ran. ${advice}` };
}

/**
 * Writes the calls of tools that the model does not have as calls of `call_tool`, as it made them. Rewrites only messages that the
 * step before did not have.
 */
export class WrappedCalls {
  /** By log, whose array is the same in all steps of a run. */
  readonly #last = new WeakMap<readonly LogEvent[], { given: readonly ModelMessage[]; wrapped: ModelMessage[] }>();

  in(given: readonly ModelMessage[], { log, tools }: Pick<StepContext, "log" | "tools">): ModelMessage[] {
    const last = this.#last.get(log);
    // A message that is the same object stands behind messages that are the same, too.
    let known = Math.min(last?.given.length ?? 0, given.length);
    while (known > 0 && last?.given[known - 1] !== given[known - 1]) known--;
    const names = new Set(tools.map(({ name }) => name));
    const wrapped = (last?.wrapped ?? []).slice(0, known);
    for (const message of given.slice(known)) wrapped.push(withWrapped(message, names));
    this.#last.set(log, { given, wrapped });
    return [...wrapped];
  }
}

function withWrapped(message: ModelMessage, names: ReadonlySet<string>): ModelMessage {
  if (message.role === "assistant" && message.calls?.some(({ name }) => !names.has(name))) {
    const calls = message.calls.map((call) =>
      names.has(call.name) ? call : { ...call, name: callTool.name, args: { name: call.name, arguments: call.args } },
    );
    return { ...message, calls };
  }
  if (message.role === "tool" && message.results.some(({ name }) => !names.has(name))) {
    const results = message.results.map((result) =>
      names.has(result.name) ? result : { ...result, name: callTool.name },
    );
    return { ...message, results };
  }
  return message;
}
