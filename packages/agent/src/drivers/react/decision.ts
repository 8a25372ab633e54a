import type { Json, JsonObject, ToolSpec } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import { isObject, objectOfModel } from "../model-json.ts";

/** What the model decides in one step. */
export type ReactDecision =
  | { thought?: string | undefined; type: "call_tool"; tool: string; args: JsonObject }
  | { thought?: string | undefined; type: "final_answer"; answer: string };

/**
 * Reads a decision. What the tool says of the arguments, the executor finds out.
 *
 * @param tools undefined if the model may find more than it has: then the executor finds out whether there is such a tool
 * @param value the fields of a decision, or a thought beside a `decision` that holds the others. `args` may be JSON text
 * @throws Error if it is none; the message is for the model
 */
export function decisionOf(value: unknown, tools: readonly ToolSpec[] | undefined): ReactDecision {
  if (!isObject(value)) throw new Error("The decision is not an object.");
  const { thought, type, tool, args, answer } = isObject(value.decision) ? { ...value, ...value.decision } : value;
  if (thought !== undefined && thought !== null && typeof thought !== "string")
    throw new Error("`thought` is not a text.");
  const thinking = typeof thought === "string" ? { thought } : {};
  switch (type) {
    case "call_tool":
      return { ...thinking, type, tool: nameOf(tool, tools), args: argsOf(args) };
    case "final_answer":
      if (typeof answer === "string" && answer.trim() !== "") return { ...thinking, type, answer };
      throw new Error("`answer` must be a text that is not empty.");
    default:
      throw new Error(`\`type\` is ${shown(type)}; it must be "call_tool" or "final_answer".`);
  }
}

function nameOf(tool: Json | undefined, tools: readonly ToolSpec[] | undefined): string {
  if (!tools) {
    if (typeof tool === "string" && tool !== "") return tool;
    throw new Error(`\`tool\` is ${shown(tool)}; it must be the name of a tool.`);
  }
  const names = tools.map(({ name }) => name);
  if (typeof tool === "string" && names.includes(tool)) return tool;
  if (names.length === 0) throw new Error('There are no tools; `type` must be "final_answer".');
  const near = typeof tool === "string" ? nearestNames(tool, names) : [];
  const guess = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  throw new Error(`There is no tool ${shown(tool)}; the tools are ${names.join(", ")}.${guess}`);
}

function argsOf(args: Json | undefined): JsonObject {
  if (isObject(args)) return args;
  const read = typeof args === "string" ? objectOfModel("The text of `args` is", args) : undefined;
  if (read?.problem === undefined && read) return read.value;
  throw new Error(
    read?.problem ?? `\`args\` is ${shown(args)}; it must be a JSON object, {} if the tool takes no arguments.`,
  );
}

function shown(value: Json | undefined): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
