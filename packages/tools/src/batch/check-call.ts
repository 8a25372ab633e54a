import { isPromise } from "@cogency/async";
import type { JsonObject } from "@cogency/protocol";
import { cautionsAbout, contentBrought } from "../approval/self-description.ts";
import { argumentsError } from "../errors.ts";
import { frozenCopy } from "../frozen-copy.ts";
import type { LoggedCall } from "../logged-call.ts";
import { coerce } from "../schema/coerce.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import { withoutNulls } from "../schema/left-out.ts";
import type { Content, Resource, Tool } from "../tool.ts";
import type { Issue, Validation } from "../validation.ts";

/** A call that may run, after its checks. */
export interface Checked {
  /** The call with the arguments that the schema was given. This call is approved, journaled and run. */
  call: LoggedCall;
  /** The arguments as the schema returned them, for the tool. */
  args: unknown;
  /** The keys of the resources that the call touches. */
  keys: readonly string[];
  /** Why the call asks even if its tool is allowed. */
  cautions: readonly string[];
  /** All content that its result may bring into the conversation. */
  brings: readonly Content[];
}

/** The `resource` or `cautions` of a tool threw. The model reads the text of the tool. */
export class ThrownByTool extends Error {
  readonly thrown: unknown;
  /** The content that the call may bring: the text of the tool may hold it too. */
  readonly brings: readonly Content[];

  constructor(thrown: unknown, brings: readonly Content[]) {
    super();
    this.thrown = thrown;
    this.brings = brings;
  }
}

/**
 * Checks the arguments of a call, as their schema reads them: `null` for an optional argument that does not admit it counts as left
 * out. Returns a promise only if the schema, or the tool's `resource` or `cautions`, does.
 *
 * @throws ToolError `invalid_arguments` if the arguments do not fit, ThrownByTool if the tool's `resource` throws
 */
export function checkCall(
  tool: Tool,
  call: LoggedCall,
  { coerce: mode }: { coerce: "json" | "lexical" },
): Checked | Promise<Checked> {
  const issue = argumentsIssue(call.args);
  if (issue) throw argumentsError(tool.name, [issue]);
  const { parameters } = tool.spec;
  let isChanged = false;
  const unread = new Map<string, Issue>();
  const coerced = coerce(
    call.args,
    parameters,
    mode,
    () => {
      isChanged = true;
    },
    (refused) => unread.set(refused.path, refused),
  );
  const given = withoutNulls(coerced, parameters) as JsonObject;
  isChanged ||= given !== coerced;
  // Copied before the library of the schema, which may change it.
  const read = isChanged ? { ...call, args: frozenCopy(given) } : call;
  const validation = tool.validate(given);
  return isPromise(validation)
    ? validation.then((result) => validated(tool, read, result, unread))
    : validated(tool, read, validation, unread);
}

/** `unread` says of strings, by their paths, why they were not read as what the schema wants there. */
function validated(
  tool: Tool,
  read: LoggedCall,
  validation: Validation,
  unread: ReadonlyMap<string, Issue>,
): Checked | Promise<Checked> {
  if (!validation.ok) {
    throw argumentsError(
      tool.name,
      validation.issues.map((issue) => unread.get(issue.path) ?? issue),
    );
  }
  const { args } = validation;
  const call = Object.freeze(read);
  const brings = contentBrought(tool, args);
  const fail = (thrown: unknown): never => {
    throw new ThrownByTool(thrown, brings);
  };
  const resource = touchedBy(tool, args, fail);
  const cautions = cautionsAbout(tool, args);
  if (!isPromise(resource) && !isPromise(cautions)) return { call, args, keys: keysOf(resource), cautions, brings };
  return Promise.all([resource, cautions]).then(([resource, cautions]) => {
    return { call, args, keys: keysOf(resource), cautions, brings };
  }, fail);
}

function touchedBy(tool: Tool, args: unknown, fail: (thrown: unknown) => never): Resource | Promise<Resource> {
  try {
    return tool.resource?.(args);
  } catch (thrown) {
    return fail(thrown);
  }
}

function keysOf(resource: Resource): readonly string[] {
  return resource === undefined ? nothing : [resource].flat();
}

const nothing: readonly string[] = [];
