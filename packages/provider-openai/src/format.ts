import type { JsonSchema, ToolSpec } from "@cogency/protocol";
import { contentText, type ModelRequest } from "@cogency/provider";
import { parametersFor, schemaFor } from "@cogency/provider/http";
import type { Flavor } from "./flavor.ts";

/** The format of an answer, as both wires of requests take it in their own words. */
export type Format =
  | { type: "json_object" }
  | { type: "json_schema"; schema: Record<string, unknown>; strict: boolean };

/** Undefined if the server has no form for it: the answer is checked all the same. */
export function formatOf(request: ModelRequest, { format: kind, schema: rules }: Flavor): Format | undefined {
  if (!request.format) return undefined;
  const { schema, isStrict } = schemaFor(request.format, rules);
  if (kind === "json_schema") return { type: kind, schema: { ...schema }, strict: isStrict };
  // The mode gives an object, and demands that the prompt speaks of it.
  const isObject = request.format.type === "object";
  return isObject && speaksOfJson(request) ? { type: kind } : undefined;
}

/** `Prompt must contain the word 'json' in some form` (browserbase/stagehand#1204). */
function speaksOfJson({ system, messages }: ModelRequest): boolean {
  return [system, ...messages.map((one) => (one.role === "tool" ? "" : contentText(one.content)))].some((text) =>
    /json/i.test(text),
  );
}

/** The offered tools, and the choice among them, as the server takes them. */
export interface OfferedTools {
  readonly tools: readonly (Omit<ToolSpec, "parameters"> & { parameters: Record<string, unknown> })[];
  readonly choice: ModelRequest["toolChoice"];
}

export function offeredTools(
  { tools = [], toolChoice }: ModelRequest,
  { schema, choosesByName }: Flavor,
): OfferedTools {
  const chosen = typeof toolChoice === "object" && !choosesByName ? toolChoice.name : undefined;
  const offered = chosen === undefined ? tools : tools.filter(({ name }) => name === chosen);
  return {
    tools: offered.map(({ name, description, parameters }) => ({ name, description, parameters: of(parameters) })),
    choice: chosen === undefined ? toolChoice : "required",
  };

  function of(parameters: JsonSchema): Record<string, unknown> {
    return { ...parametersFor(parameters, schema) };
  }
}
