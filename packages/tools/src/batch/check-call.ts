import type { ToolCall } from "@cogency/protocol";
import { isPromise } from "../async/is-promise.ts";
import { ToolArgumentsError } from "../errors.ts";
import { coerce } from "../schema/coerce.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import type { Validation } from "../schema/schema.ts";
import type { Resource, Tool } from "../tool.ts";

/** What a call that may run gives to its tool. */
export interface Checked {
  /** The tool's own copy. */
  args: unknown;
  /** The keys of what the call touches. */
  keys: readonly string[];
}

/**
 * Checks the arguments of a call; a promise only if the schema or the tool's `resource` gives one.
 *
 * @throws ToolArgumentsError if they do not fit, or what the tool's `resource` throws
 */
export function checkCall(
  tool: Tool,
  { args: given }: ToolCall,
  { coerce: mode, unknownKeys }: { coerce: "json" | "lexical"; unknownKeys: "strip" | "reject" },
): Checked | Promise<Checked> {
  const issue = argumentsIssue(given);
  if (issue) throw new ToolArgumentsError(tool.name, [issue]);
  const validation = tool.validate(coerce(given, tool.spec.parameters, mode), { unknownKeys });
  return isPromise(validation) ? validation.then((settled) => withKeys(tool, settled)) : withKeys(tool, validation);
}

function withKeys(tool: Tool, validation: Validation): Checked | Promise<Checked> {
  if (!validation.ok) throw new ToolArgumentsError(tool.name, validation.issues);
  const { args } = validation;
  const resource = tool.resource?.(args);
  return isPromise(resource) ? resource.then((settled) => checked(args, settled)) : checked(args, resource);
}

function checked(args: unknown, resource: Resource): Checked {
  return { args, keys: resource === undefined ? nothing : [resource].flat() };
}

const nothing: readonly string[] = [];
