import { OUTCOME_UNKNOWN } from "@cogency/protocol";
import { describeError } from "./describe-error.ts";
import type { ToolExecution } from "./execution.ts";
import { messageOf } from "./message-of.ts";
import { shown } from "./shown.ts";
import type { Issue } from "./validation.ts";

export type ToolDefinitionCode =
  /** The name does not match `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`. */
  | "invalid_name"
  /** The name is a protocol marker. */
  | "reserved_name"
  /** Two tools of one registry share it. */
  | "duplicate_name"
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

/** The definition of a tool is invalid. Thrown when it is defined or registered, never later. */
export class ToolDefinitionError extends Error {
  override readonly name = "ToolDefinitionError";
  readonly code: ToolDefinitionCode;
  readonly tool: string;

  constructor(code: ToolDefinitionCode, tool: string, problem: string, options?: ErrorOptions) {
    super(`Tool ${JSON.stringify(tool)}: ${problem}`, options);
    this.code = code;
    this.tool = tool;
  }
}

/** The registry has no tool of that name. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly code = "unknown_tool";
  readonly tool: string;
  /** Similar registered names, the likeliest first. */
  readonly nearest: readonly string[];
  readonly available: readonly string[];

  constructor(tool: string, nearest: readonly string[], available: readonly string[]) {
    super(`Unknown tool ${quoted(tool)}.${suggestion(nearest)} ${inventory(available)}`);
    this.tool = tool;
    this.nearest = nearest;
    this.available = available;
  }
}

/** The arguments of a call do not fit the tool's schema. */
export class ToolArgumentsError extends Error {
  override readonly name = "ToolArgumentsError";
  readonly code = "invalid_arguments";
  readonly tool: string;
  readonly issues: readonly Issue[];

  constructor(tool: string, issues: readonly Issue[]) {
    super(`Invalid arguments for ${tool}: ${issuesText(issues)}`);
    this.tool = tool;
    this.issues = issues;
  }
}

/** A call took longer than its limit. */
export class ToolTimeoutError extends Error {
  override readonly name = "ToolTimeoutError";
  readonly code = "timeout";
  readonly tool: string;
  /** The limit in milliseconds. */
  readonly timeout: number;

  constructor(tool: string, timeout: number, aftermath = "") {
    super(`${tool} timed out after ${timeout} ms${aftermath}.`);
    this.tool = tool;
    this.timeout = timeout;
  }
}

/**
 * A question that the body of a tool asked has no answer.
 *
 * - `unanswered`: nobody is there to answer, or nobody answered in time
 * - `left`: the call is left until somebody answers. Then its body runs again from the top; what it does now does not count.
 * - `answer_failed`: the host failed to ask, or the answer could not be kept
 */
export class ToolQuestionError extends Error {
  override readonly name = "ToolQuestionError";
  readonly code: "unanswered" | "left" | "answer_failed";
  readonly tool: string;

  constructor(code: "unanswered" | "left" | "answer_failed", tool: string, problem: string, options?: ErrorOptions) {
    super(`${tool} asked a question: ${problem}`, options);
    this.code = code;
    this.tool = tool;
  }
}

/** Approval for a call was refused or not given. */
export class ToolDeniedError extends Error {
  override readonly name = "ToolDeniedError";
  readonly code = "denied";
  readonly tool: string;
  readonly reason: string;

  constructor(tool: string, reason: string, options?: ErrorOptions) {
    super(`${tool} was refused and did not run: ${reason}`, options);
    this.tool = tool;
    this.reason = reason;
  }
}

/** A hook blocked a call, or failed before it. */
export class ToolBlockedError extends Error {
  override readonly name = "ToolBlockedError";
  readonly code = "blocked";
  readonly tool: string;
  readonly hook: string;
  readonly reason: string;

  constructor(tool: string, hook: string, reason: string, options?: ErrorOptions) {
    super(`${tool} was blocked and did not run: ${reason}`, options);
    this.tool = tool;
    this.hook = hook;
    this.reason = reason;
  }
}

/** A call was skipped because an earlier call ended the batch or the run. */
export class ToolSkippedError extends Error {
  override readonly name = "ToolSkippedError";
  readonly code = "skipped";
  readonly tool: string;

  constructor(tool: string, because: string) {
    super(`${tool} was skipped and did not run: ${because}.`);
    this.tool = tool;
  }
}

/** A call failed with `throwOnToolFailure`. The `cause` is the error of the call. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code = "tool_failed";
  readonly tool: string;
  /** One for each call of the batch, in call order; calls after the failure are skipped. */
  readonly executions: readonly ToolExecution[];

  constructor(tool: string, executions: readonly ToolExecution[], cause: unknown) {
    super(`The tool ${tool} failed: ${describeError(cause) || "without a message"}`, { cause });
    this.tool = tool;
    this.executions = executions;
  }
}

/** The run was cancelled before the call ended. */
export class ToolCancelledError extends Error {
  override readonly name = "ToolCancelledError";
  readonly code = "cancelled";
  readonly tool: string;

  constructor(tool: string, aftermath: string) {
    super(`${tool} was cancelled${aftermath}.`);
    this.tool = tool;
  }
}

/** The body of a call had begun when a run broke off, and what became of it could not be found out. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
  readonly code = "outcome_unknown";
  readonly tool: string;

  /** @param problem why its tool could not find it out; undefined for a tool that cannot, or does not know */
  constructor(tool: string, problem: string | undefined) {
    super(
      OUTCOME_UNKNOWN + (problem === undefined ? "" : ` ${tool} could not find out what became of it: ${problem}.`),
    );
    this.tool = tool;
  }
}

/** A tool threw a value that is not an Error. It is the `cause`, unless it cannot be read, such as a revoked proxy. */
export class ToolThrewError extends Error {
  override readonly name = "ToolThrewError";
  readonly code = "threw";
  readonly tool: string;

  constructor(tool: string, thrown: unknown) {
    const message = messageOf(thrown);
    // An unreadable cause would break code that logs the error.
    super(
      message || (message === undefined ? silent(tool) : describeThrown(tool, thrown)),
      message === undefined ? undefined : { cause: thrown },
    );
    this.tool = tool;
  }
}

/** After an abort the journal did not finish in time. Its last entry may be missing. */
export class JournalStalledError extends Error {
  override readonly name = "JournalStalledError";
  readonly code = "journal_stalled";
  /** The time it had, in milliseconds. */
  readonly grace: number;

  constructor(grace: number) {
    super(
      `The run was aborted, and the journal did not finish writing within ${grace} ms: its last entry may be missing.`,
    );
    this.grace = grace;
  }
}

/** `add` was called on a batch that has run or was discarded. Open a new batch. */
export class BatchClosedError extends Error {
  override readonly name = "BatchClosedError";
  readonly code = "batch_closed";

  constructor() {
    super("This batch has already run or was discarded: open a new one for further calls.");
  }
}

/** The message for a thrown value without a text of its own. */
function describeThrown(tool: string, thrown: unknown): string {
  try {
    return `${tool} threw ${typeof thrown === "object" && thrown !== null ? outline(thrown) : shown(thrown)}.`;
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
    .map(([key, value]) => `${quoted(key)}: ${isTelling(key, value) ? shown(value) : "…"}`);
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
