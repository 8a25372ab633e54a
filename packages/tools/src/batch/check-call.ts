import { isPromise } from "@cogency/async";
import { cautionsAbout, contentBrought } from "../approval/self-description.ts";
import { ToolArgumentsError } from "../errors.ts";
import { frozenCopy } from "../frozen-copy.ts";
import type { LoggedCall } from "../logged-call.ts";
import { coerce } from "../schema/coerce.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import type { Content, Resource, Tool } from "../tool.ts";
import type { Validation } from "../validation.ts";

/** What is known of a call that may run. */
export interface Checked {
  /** As its arguments were handed to the schema: what is asked about, journaled and run. */
  call: LoggedCall;
  /** What the schema made of them: the tool's own copy. */
  args: unknown;
  /** The keys of what the call touches. */
  keys: readonly string[];
  /** Why it asks even where its tool is allowed. */
  cautions: readonly string[];
  /** What its result brings into the conversation at worst. */
  brings: readonly Content[];
}

/** What a tool threw when it was asked what a call touches: the text is the tool's, and the model reads it. */
export class RefusedByTool extends Error {
  readonly thrown: unknown;
  /** What the result of the call would have brought into the conversation: its text may, too. */
  readonly brings: readonly Content[];

  constructor(thrown: unknown, brings: readonly Content[]) {
    super();
    this.thrown = thrown;
    this.brings = brings;
  }
}

/**
 * Checks the arguments of a call; a promise only if the schema, or the tool's `resource` or `cautions`, gives one.
 *
 * @throws ToolArgumentsError if they do not fit, RefusedByTool for what the tool's `resource` throws
 */
export function checkCall(
  tool: Tool,
  call: LoggedCall,
  { coerce: mode, unknownKeys }: { coerce: "json" | "lexical"; unknownKeys: "strip" | "reject" },
): Checked | Promise<Checked> {
  const issue = argumentsIssue(call.args);
  if (issue) throw new ToolArgumentsError(tool.name, [issue]);
  let isChanged = false;
  const given = coerce(call.args, tool.spec.parameters, mode, () => {
    isChanged = true;
  });
  // Before the schema's library has it in its hands.
  const read = isChanged ? { ...call, args: frozenCopy(given) } : call;
  const validation = tool.validate(given, { unknownKeys });
  return isPromise(validation)
    ? validation.then((settled) => validated(tool, read, settled))
    : validated(tool, read, validation);
}

function validated(tool: Tool, read: LoggedCall, validation: Validation): Checked | Promise<Checked> {
  if (!validation.ok) throw new ToolArgumentsError(tool.name, validation.issues);
  const { args, stripped } = validation;
  const call = Object.freeze(stripped ? { ...read, args: frozenCopy(stripped) } : read);
  const brings = contentBrought(tool, args);
  const refuse = (thrown: unknown): never => {
    throw new RefusedByTool(thrown, brings);
  };
  const resource = touchedBy(tool, args, refuse);
  const cautions = cautionsAbout(tool, args);
  if (!isPromise(resource) && !isPromise(cautions)) return { call, args, keys: keysOf(resource), cautions, brings };
  return Promise.all([resource, cautions]).then(([resource, cautions]) => {
    return { call, args, keys: keysOf(resource), cautions, brings };
  }, refuse);
}

function touchedBy(tool: Tool, args: unknown, refuse: (thrown: unknown) => never): Resource | Promise<Resource> {
  try {
    return tool.resource?.(args);
  } catch (thrown) {
    return refuse(thrown);
  }
}

function keysOf(resource: Resource): readonly string[] {
  return resource === undefined ? nothing : [resource].flat();
}

const nothing: readonly string[] = [];
