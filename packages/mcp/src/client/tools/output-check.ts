import type { Json } from "@cogency/protocol";
import { type CallToolResult, type Tool as Definition, fromJsonSchema } from "@modelcontextprotocol/client";
import { oneLine } from "../text/plain-text.ts";
import { schemaLimitProblem, withoutPatterns } from "./schema-of.ts";

type Check = (value: unknown) => string | undefined;

const checks = new WeakMap<Definition, Check>();

/**
 * Why the structured content of a result does not fit the schema that its tool has for it; undefined where it fits, and where the tool has
 * none. Regular expressions in the schema are not applied.
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
  return check(structuredContent);
}

function checkOf(schema: NonNullable<Definition["outputSchema"]>): Check {
  const limit = schemaLimitProblem(schema);
  if (limit !== undefined) return () => `it cannot be checked: ${limit}`;
  let compiled: ReturnType<typeof fromJsonSchema>;
  try {
    compiled = fromJsonSchema(withoutPatterns(schema as Json) as Parameters<typeof fromJsonSchema>[0]);
  } catch (error) {
    const problem = `its schema cannot be applied: ${oneLine(error instanceof Error ? error.message : String(error))}`;
    return () => problem;
  }
  return (value) => {
    try {
      const result = compiled["~standard"].validate(value);
      if (result instanceof Promise || !result.issues) return undefined;
      return oneLine(result.issues.map(({ message }) => message).join("; "), 500);
    } catch (error) {
      return `it cannot be checked: ${oneLine(error instanceof Error ? error.message : String(error))}`;
    }
  };
}
