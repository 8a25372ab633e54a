import type { Proof, ToolCall } from "@cogency/protocol";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";
import type { Allowed } from "./allowed.ts";

/**
 * - `allow`: the call runs, or asks if there is a {@link Concern}
 * - `allow_anyway`: the call runs whatever the conversation holds and whatever the tool cautions; only an echo or a hook asks. For
 *   rules that name this very call or its host.
 * - `ask`: a person is asked
 * - `deny`: the call does not run
 */
export type ApprovalDecision = "allow" | "allow_anyway" | "ask" | "deny";

/** Why a call asks even where a rule allows its tool. */
export interface Concern {
  /**
   * - `echo`: its text stands in an earlier result or in untrusted input
   * - `untrusted`: it has effects, and the conversation holds text that no person vouched for
   * - `private`: it reaches outside, and the conversation holds private content
   * - `caution`: the tool itself, or a hook, advises to ask about a call with these arguments
   * - `changed`: it was approved before a restart, but the question would show something else now; only for a call that
   *   asks anyway
   */
  readonly kind: "echo" | "untrusted" | "private" | "caution" | "changed";
  /** One sentence for the person who is asked. It names the source. */
  readonly why: string;
}

/** Decides which calls run. Calls with an unknown tool or wrong arguments fail before. */
export interface Approval {
  /**
   * Decides about each call. Defaults to empty {@link ApprovalRules}. An echoed call asks even where the policy allows it:
   * somebody may have planted it in a text that the model read.
   */
  policy?: ApprovalPolicy | ApprovalRules | undefined;
  /**
   * Asks a person. Within a batch one question is open at a time, in call order. Only `true` and `{ approved: true }`
   * approve. The call is denied if `approve` throws or returns anything else, and if it is missing, unless the batch lets
   * such questions wait (`BatchContext.whenUnanswered`).
   */
  approve?: ((request: ApprovalRequest) => boolean | ApprovalAnswer | Promise<boolean | ApprovalAnswer>) | undefined;
  /**
   * Called once the answer to a question is logged, also one that came from elsewhere. An approved call begins when it has resolved. Its
   * errors are ignored.
   */
  answered?:
    | ((request: Omit<ApprovalRequest, "signal">, answer: { readonly approved: boolean }) => unknown)
    | undefined;
  /** Milliseconds until a question counts as unanswered. Defaults to no limit. */
  timeout?: number | undefined;
  /**
   * `"ask"`: a call with effects asks once the conversation holds untrusted content, a call that reaches outside once it
   * holds private content (see `BatchContext.content`), unless the policy says `allow_anyway`. `"allow"`, the default:
   * content changes nothing.
   */
  content?: "ask" | "allow" | undefined;
}

/**
 * Decides synchronously. If it throws, or returns anything else, such as a promise, the call is denied. The executor always gives `origin`:
 * whose call it is.
 */
export type ApprovalPolicy = (
  call: LoggedCall,
  tool: Tool,
  origin?: Pick<ApprovalRequest, "conversation" | "user" | "agents">,
) => ApprovalDecision | ExplainedDecision;

/** A decision that says what it rests on. The log keeps that of a call that ran (`allowed` of its record `started`). */
export interface ExplainedDecision extends Pick<Allowed, "rule" | "from"> {
  readonly decision: ApprovalDecision;
  /** Defaults to `"rule"` if `rule` is given, else to `"policy"`. */
  readonly by?: "rule" | "mode" | "policy" | "read-only" | "tool" | undefined;
}

/** Rules in the order of their precedence: the first one that applies to a call decides. */
export interface ApprovalRules {
  /** By the tool's name. */
  tools?: { readonly [tool: string]: ApprovalDecision | ApprovalPolicy } | undefined;
  /** By the annotations of the tool that are `true`. The strictest of these and of the tool's own `approval` decides. */
  annotations?: { readonly [hint in keyof ToolAnnotations]?: ApprovalDecision | undefined } | undefined;
  /** For all other calls. By default, tools with `readOnlyHint` or the approval `"allow"` are allowed and the others ask. */
  otherwise?: ApprovalDecision | undefined;
}

/** `Call` is the union of the calls that may ask, if they are known: then `call.name` narrows `call.args`. */
export interface ApprovalRequest<Call extends ToolCall = ToolCall> {
  /** The conversation in which the model made the call, and its user. */
  readonly conversation: string;
  readonly user: string | undefined;
  /** The id of the run that asks, as in the events of the agent; undefined where an executor is used without one. */
  readonly run: string | undefined;
  /** Its arguments fit the schema of its tool, which has not filled in or changed anything yet. */
  readonly call: LoggedCall<Call>;
  readonly tool: Tool;
  /** SHA-256 of the arguments in canonical form. An approval holds only for this call with these arguments. */
  readonly hash: string;
  /** The `definitionHash` of the tool, where somebody else has defined it (`Tool.definedBy`). */
  readonly definition?: string | undefined;
  /** The random id of the question. */
  readonly question: string;
  /** Why the call asks; empty if only the policy asks. */
  readonly concerns: readonly Concern[];
  /** What the call touches, as the tool's `resource` names it: resolved paths such as `file:/srv/notes.md`. */
  readonly touches: readonly string[];
  /** The names of the agents whose call it is, from the outermost; absent for the agent of the conversation itself. */
  readonly agents?: readonly string[] | undefined;
  /** Aborts when the question is closed: it was answered here or elsewhere, the run was cancelled, or the time is over. */
  readonly signal: AbortSignal;
}

export interface ApprovalAnswer {
  approved: boolean;
  /** The model reads it. */
  reason?: string | undefined;
}

/**
 * A logged answer about one call. With it a run continues after a restart without asking again, and runs nothing that was
 * not approved. `asked` stands in logs of earlier versions only: now a `QuestionRecord` is logged.
 */
export interface ApprovalRecord {
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  /** As {@link ApprovalRequest.hash}. */
  readonly hash: string;
  readonly status: "asked" | "approved" | "denied";
  /** The id of the question; its answer has the same. */
  readonly question?: string;
  readonly reason?: string;
  /**
   * SHA-256 of what the question shows beside the call: its resources, its concerns, the scope of the conversation, and the
   * description of the tool. An approval holds only if all of that is the same.
   */
  readonly shown?: string;
  /** The signature of an answer, made with the executor's key ring. An answer without a valid proof is ignored. */
  readonly proof?: Proof;
}
