import type { Json, JsonSchema } from "@cogency/protocol";
import { jsonSchemaCheck, withoutCostly } from "@cogency/tools/host";
import type { CallToolResult, Tool as Definition } from "@modelcontextprotocol/client";
import { oneLine } from "../text/plain-text.ts";
import { schemaLimitProblem } from "./schema-of.ts";

type Check = (value: Json) => string | undefined;

const checks = new WeakMap<Definition, Check>();

/**
 * Why the structured content of a result does not fit the schema that its tool has for it; undefined where it fits, and where the tool has
 * none. Regular expressions and `uniqueItems` in the schema are not applied.
 */
export function outputProblem(
  definition: Definition,
  { structuredContent, isError }: CallToolResult,
): string | undefined {
  if (definition.outputSchema === undefined || isError) return undefined;
  if (structuredContent === undefined) return "it has no structured content, which its schema demands";
  let check = checks.get(definition);
  if (!check) {
    check = checkOf(definition.outputSchema);
    checks.set(definition, check);
  }
  return check(structuredContent as Json);
}

/** Not with the SDK: it has one checker for all servers, in which the schema of one can stand in place of another's. */
function checkOf(schema: NonNullable<Definition["outputSchema"]>): Check {
  const limit = schemaLimitProblem(schema);
  if (limit !== undefined) return () => `it cannot be checked: ${limit}`;
  try {
    const check = jsonSchemaCheck(withoutCostly(schema as Json) as JsonSchema);
    return (value) => {
      try {
        const problem = check(value);
        return problem && oneLine(problem, 500);
      } catch (error) {
        return `it cannot be checked: ${wordsOf(error)}`;
      }
    };
  } catch (error) {
    const problem = `its schema cannot be applied: ${wordsOf(error)}`;
    return () => problem;
  }
}

function wordsOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error));
}
