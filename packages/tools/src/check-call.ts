import type { ToolCall } from "@cogency/protocol";
import { coerce } from "./coerce.ts";
import { ToolArgumentsError } from "./errors.ts";
import { argumentsIssue } from "./hostile-arguments.ts";
import type { Tool } from "./tool.ts";

/**
 * The arguments that the tool receives, its own copy of them, and the keys of what the call touches.
 *
 * @throws ToolArgumentsError if they do not fit, or what the tool's `resource` throws
 */
export async function checkCall(
  tool: Tool,
  { args: given }: ToolCall,
  { coerce: mode, unknownKeys }: { coerce: "json" | "lexical"; unknownKeys: "strip" | "reject" },
): Promise<{ args: unknown; keys: readonly string[] }> {
  const issue = argumentsIssue(given);
  if (issue) throw new ToolArgumentsError(tool.name, [issue]);
  const validation = await tool.validate(coerce(given, tool.spec.parameters, mode), { unknownKeys });
  if (!validation.ok) throw new ToolArgumentsError(tool.name, validation.issues);
  const resource = await tool.resource?.(validation.args);
  return { args: validation.args, keys: resource === undefined ? [] : [resource].flat() };
}
