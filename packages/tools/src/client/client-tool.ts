import type { Json, JsonSchema, ToolSpec } from "@cogency/protocol";
import { defineTool } from "../define-tool.ts";
import { subschemas } from "../schema/subschemas.ts";
import { withoutCostly } from "../schema/without-costly.ts";
import type { Tool } from "../tool.ts";

/**
 * Makes the tool whose calls the client of a conversation runs. Its body asks one question, which the client answers with what came of
 * the call: its output, or an error.
 *
 * @param spec as `checkedClientTools` returns it
 * @throws ToolError for a name that no tool may have, and for a schema that cannot be applied
 */
export function clientTool({ name, description, parameters }: ToolSpec): Tool {
  const tool = defineTool({
    name,
    description,
    input: applied(parameters),
    parameters,
    asks: true,
    approval: "allow",
    // A body that runs again asks the same question.
    annotations: { idempotentHint: true },
    brings: () => [{ holds: "untrusted", source: `client tool ${name}` }],
    async execute(_, { ask }) {
      const given = await ask({
        message: `Run ${name}, and answer with its output, or with its error.`,
        schema: answer,
      });
      if ("error" in given) throw new Error(given.error);
      return given.output;
    },
  });
  return Object.freeze({ ...tool, client: true } as const);
}

/** What the client answers. */
const answer = {
  anyOf: [
    { type: "object", properties: { output: {} }, required: ["output"], additionalProperties: false },
    { type: "object", properties: { error: { type: "string" } }, required: ["error"], additionalProperties: false },
  ],
} as const satisfies JsonSchema;

/**
 * What calls are checked against: a stranger may have written the schema, so nothing in it may take long. The client fills in the
 * defaults itself.
 */
function applied(parameters: JsonSchema): JsonSchema & { type: "object" } {
  const schema = withoutCostly(parameters as Json) as JsonSchema;
  for (const part of subschemas(schema)) Reflect.deleteProperty(part, "default");
  return { ...schema, type: "object" };
}
