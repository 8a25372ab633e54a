import { brandErrors, hasErrorBrand, OUTCOME_UNKNOWN } from "@cogency/protocol/host";
import { describeError } from "./describe-error.ts";
import type { ToolExecution } from "./execution.ts";
import { messageOf } from "./message-of.ts";
import type { Issue } from "./validation.ts";
import { valueText } from "./value-text.ts";

/** Of a tool of this name. Types, not interfaces: a program that exports an error need not name them. */
type OfTool = { readonly tool: string };

/** Of a hook of this name; `trigger` is where it was called, such as `beforeToolUse`. */
type OfHook = { readonly hook: string; readonly trigger: string };

/** What a ToolError has beside its code and its message, by its code. */
export interface ToolErrorData extends Record<ToolDefinitionCode, OfTool> {
  /** The registry has no tool of that name. `nearest` are similar registered names, the likeliest first. */
  unknown_tool: OfTool & { readonly nearest: readonly string[]; readonly available: readonly string[] };
  /** The tool of a call is another one than was offered: its `ToolSource` has changed it meanwhile. */
  tool_changed: OfTool;
  /** The tool of a call was offered, and its `ToolSource` does not have it any more. */
  tool_gone: OfTool;
  /** The arguments of a call do not fit the tool's schema. */
  invalid_arguments: OfTool & { readonly issues: readonly Issue[] };
  /** A call took longer than its limit in milliseconds. */
  timeout: OfTool & { readonly timeout: number };
  /** The body of a tool asked a question, and nobody is there to answer, or nobody answered in time. */
  unanswered: OfTool;
  /** The call is left until somebody answers its question. Then its body runs again from the top; what it does now does not count. */
  left: OfTool;
  /** The host failed to ask the question of a body, or the answer could not be kept. */
  answer_failed: OfTool;
  /** Approval for a call was denied or not given. */
  denied: OfTool & { readonly reason: string };
  /** A hook blocked a call, or failed before it. */
  blocked: OfTool & { readonly hook: string; readonly reason: string };
  /** A call was skipped because an earlier call ended the batch or the run. */
  skipped: OfTool;
  /** The run was cancelled before the call ended. */
  cancelled: OfTool;
  /** The body of a call had begun when a run broke off, and what became of it could not be found out. */
  outcome_unknown: OfTool;
  /** A tool threw a value that is not an Error. It is the `cause`, unless it cannot be read, such as a revoked proxy. */
  threw: OfTool;
  /**
   * A call failed with `throwOnToolFailure`. The `cause` is the error of the call; `executions` has one for each call of the batch,
   * in call order. Calls after the failure are skipped.
   */
  tool_failed: OfTool & { readonly executions: readonly ToolExecution[] };
  /** A hook threw, took too long, or its patch failed. The `cause` is what it threw. */
  hook_failed: OfHook;
  /** A hook returned something that its trigger does not admit. `field` is the path of that part, such as `call.id`. */
  hook_contract: OfHook & { readonly field: string };
  /** The journal did not finish within `grace` milliseconds after an abort. Its last entry may be missing. */
  journal_stalled: { readonly grace: number };
  /** `add` was called on a batch that has run or was discarded. */
  batch_closed: object;
  /** `read_result` was called with an id under which the conversation has no result. */
  unknown_result: { readonly id: string };
  /** `read_result` was called with an offset beyond the end of the result, which has `total` characters. */
  offset_beyond_end: { readonly from: number; readonly total: number };
  /** A value that contains itself cannot be written as JSON. */
  cycle: object;
  /** A value is nested too deep to be written as JSON. */
  too_deep: object;
  /** A value is too large to be written as JSON. */
  too_large: object;
}

/** The definition of a tool is invalid. Thrown when it is defined or registered, never later. */
export type ToolDefinitionCode =
  /** The name does not match `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`. */
  | "invalid_name"
  /** The name is a protocol marker. */
  | "reserved_name"
  /** Two tools of one registry share it. */
  | "duplicate_name"
  /** A client brings a tool whose name is that of one of the agent. */
  | "name_taken"
  /** The schema library cannot express the input as JSON Schema, and `parameters` is missing. */
  | "no_json_schema"
  /** `input` or `parameters` is not a schema, or a schema that can never be applied. */
  | "invalid_schema"
  /** A registered value is not a tool, or lacks parts of one. */
  | "incomplete"
  /** The root of the schema is not an object, but arguments always are. */
  | "root_not_object"
  | "invalid_timeout"
  | "invalid_grace";

export type ToolErrorCode = keyof ToolErrorData;

/** An error of this package: a `code`, and what belongs to the code. Comparing the code narrows the type. */
export type ToolError<Code extends ToolErrorCode = ToolErrorCode> = {
  [C in Code]: Error & { readonly code: C } & ToolErrorData[C];
}[Code];

interface ToolErrorClass {
  new <Code extends ToolErrorCode>(
    code: Code,
    message: string,
    data: ToolErrorData[Code],
    options?: ErrorOptions,
  ): ToolError<Code>;
  readonly prototype: ToolError;
}

export const ToolError: ToolErrorClass = /* @__PURE__ */ (() => {
  class ToolError extends Error {
    override readonly name = "ToolError";

    constructor(code: ToolErrorCode, message: string, data: object, options?: ErrorOptions) {
      super(message, options);
      Object.assign(this, data, { code });
    }
  }
  brandErrors(ToolError, "ToolError");
  return ToolError as unknown as ToolErrorClass;
})();

/** Whether it is a ToolError, also one of another copy of `@cogency/tools`; with codes, whether it has one of them. */
export function isToolError<Code extends ToolErrorCode = ToolErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is ToolError<Code> {
  return hasErrorBrand(value, "ToolError") && (codes.length === 0 || codes.includes((value as ToolError<Code>).code));
}

export function definitionError(
  code: ToolDefinitionCode,
  tool: string,
  problem: string,
  options?: ErrorOptions,
): ToolError {
  return new ToolError(code, `Tool ${JSON.stringify(tool)}: ${problem}`, { tool }, options);
}

export function unknownToolError(tool: string, nearest: readonly string[], available: readonly string[]): ToolError {
  const message = `Unknown tool ${quoted(tool)}.${suggestion(nearest)} ${inventory(available)}`;
  return new ToolError("unknown_tool", message, { tool, nearest, available });
}

export function toolChangedError(tool: string, what: "changed" | "gone"): ToolError {
  const message =
    what === "changed"
      ? "has changed since it was offered, so this call did not run. Look at its definition in the next step, and call it again."
      : "is not there any more, so this call did not run. Use another tool, or say what cannot be done without it.";
  return new ToolError(`tool_${what}`, `The tool ${tool} ${message}`, { tool });
}

export function argumentsError(tool: string, issues: readonly Issue[]): ToolError {
  return new ToolError("invalid_arguments", `Invalid arguments for ${tool}: ${issuesText(issues)}`, { tool, issues });
}

export function timeoutError(tool: string, timeout: number, aftermath = ""): ToolError {
  return new ToolError("timeout", `${tool} timed out after ${timeout} ms${aftermath}.`, { tool, timeout });
}

export function questionError(
  code: "unanswered" | "left" | "answer_failed",
  tool: string,
  problem: string,
  options?: ErrorOptions,
): ToolError {
  return new ToolError(code, `${tool} asked a question: ${problem}`, { tool }, options);
}

export function cancelledError(tool: string, aftermath: string): ToolError {
  return new ToolError("cancelled", `${tool} was cancelled${aftermath}.`, { tool });
}

/** @param problem why its tool could not find it out; undefined for a tool that cannot, or does not know */
export function outcomeUnknownError(tool: string, problem: string | undefined): ToolError {
  const why = problem === undefined ? "" : ` ${tool} could not find out what became of it: ${problem}.`;
  return new ToolError("outcome_unknown", OUTCOME_UNKNOWN + why, { tool });
}

export function threwError(tool: string, thrown: unknown): ToolError {
  const message = messageOf(thrown);
  const text = message || (message === undefined ? silent(tool) : describeThrown(tool, thrown));
  return new ToolError("threw", text, { tool }, causeOf(message, thrown));
}

export function failedError(tool: string, executions: readonly ToolExecution[], cause: unknown): ToolError {
  const message = `The tool ${tool} failed: ${describeError(cause) || "without a message"}`;
  return new ToolError("tool_failed", message, { tool, executions }, { cause });
}

/** @param failed the hook itself, or only its patch: then the metadata stays as it was */
export function hookFailedError(
  hook: string,
  trigger: string,
  thrown: unknown,
  failed: "hook" | "patch" = "hook",
): ToolError<"hook_failed"> {
  const message = messageOf(thrown);
  const text = `${consequenceOf(trigger, failed)} ${JSON.stringify(hook)} failed${message ? `: ${message}` : "."}`;
  return new ToolError("hook_failed", text, { hook, trigger }, causeOf(message, thrown));
}

export function hookContractError(hook: string, trigger: string, field: string): ToolError<"hook_contract"> {
  const message = `The hook ${JSON.stringify(hook)} broke its contract at ${trigger}: ${field} is not what this trigger admits.`;
  return new ToolError("hook_contract", message, { hook, trigger, field });
}

/** An unreadable cause, which has no message, would break code that logs the error. */
function causeOf(message: string | undefined, thrown: unknown): ErrorOptions | undefined {
  return message === undefined ? undefined : { cause: thrown };
}

function consequenceOf(trigger: string, failed: "hook" | "patch"): string {
  if (failed === "patch") return "The metadata stays as it was: the patch of the hook";
  if (trigger === "beforeToolUse") return "the hook";
  return trigger === "afterToolUse" ? "The tool ran, but its result is withheld: the hook" : `At ${trigger}, the hook`;
}

/** The message for a thrown value without a text of its own. */
function describeThrown(tool: string, thrown: unknown): string {
  try {
    return `${tool} threw ${typeof thrown === "object" && thrown !== null ? outline(thrown) : valueText(thrown)}.`;
  } catch {
    return silent(tool);
  }
}

function silent(tool: string): string {
  return `${tool} failed without a message.`;
}

/** Describes an object by its keys. Texts are left out, except a `code`: they may be whole requests with secrets. */
function outline(thrown: object): string {
  if (Array.isArray(thrown)) return "an array";
  const members = Object.entries(thrown)
    .slice(0, listedMembers)
    .map(([key, value]) => `${quoted(key)}: ${isTelling(key, value) ? valueText(value) : "…"}`);
  return members.length === 0 ? "an object" : `{${members.join(", ")}}`;
}

function isTelling(key: string, value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || value === null || key === "code";
}

const listedMembers = 10;
const quotedLength = 80;
const listedNames = 50;
const listedIssues = 100;

/** Quotes a name from a model, which may be of any length and hold any character. */
function quoted(name: string): string {
  return JSON.stringify(name.length > quotedLength ? `${name.slice(0, quotedLength)}…` : name);
}

function suggestion(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : ` Did you mean ${nearest.join(" or ")}?`;
}

function inventory(available: readonly string[]): string {
  if (available.length === 0) return "No tools are available.";
  return `Available tools: ${available.slice(0, listedNames).join(", ")}${more(available.length - listedNames)}.`;
}

/** What is wrong with a value, in one line. */
export function issuesText(issues: readonly Issue[]): string {
  const parts = issues
    .slice(0, listedIssues)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return `${parts.join("; ")}${more(issues.length - listedIssues)}`;
}

function more(count: number): string {
  return count > 0 ? `, and ${count} more` : "";
}
