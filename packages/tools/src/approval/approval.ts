import type { Proof } from "@cogency/protocol";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";

/**
 * `allow`: the call runs unless a {@link Concern} speaks against it, then it asks. `allow_anyway`: it runs although the
 * conversation holds untrusted or private content and although the tool itself advises caution; for rules that name this
 * very call or its host. An echoed call asks in any case.
 */
export type ApprovalDecision = "allow" | "allow_anyway" | "ask" | "deny";

/** Why a call asks even where a rule allows its tool. */
export interface Concern {
  /**
   * - `echo`: its text stands in an earlier result or in untrusted input
   * - `untrusted`: it has effects, and the conversation holds text that no person vouched for
   * - `private`: it reaches outside, and the conversation holds what is private
   * - `caution`: the tool itself advises to ask about a call with these arguments
   * - `changed`: it was approved before a restart, but the question would show something else now; only of a call that
   *   asks anyway
   */
  readonly kind: "echo" | "untrusted" | "private" | "caution" | "changed";
  /** One sentence for the person who is asked; it names the source. */
  readonly why: string;
}

/** Decides which calls run. It sees only calls whose tool exists and whose arguments fit. */
export interface Approval {
  /**
   * What to do with a call; {@link ApprovalRules} by default. A call whose text stands in an earlier result of the
   * conversation is asked about even where the policy allows it: somebody else may have put it into the model's mouth.
   */
  policy?: ApprovalPolicy | ApprovalRules | undefined;
  /**
   * Puts the question to somebody. Within a batch one question is open at a time, in call order. Only `true` and
   * `{ approved: true }` approve: without it, if it throws, or if it answers anything else, the call is denied.
   */
  approve?: ((request: ApprovalRequest) => Promise<boolean | ApprovalAnswer>) | undefined;
  /** Milliseconds to wait for an answer before the call is denied; no limit when absent. */
  timeout?: number | undefined;
  /**
   * `"ask"`: a call with effects asks once the conversation holds untrusted content, a call that reaches outside once it
   * holds private content (see `BatchContext.content`), unless the policy says `allow_anyway`. `"allow"`, the default:
   * content changes nothing.
   */
  content?: "ask" | "allow" | undefined;
}

/** Told at once: if it throws, or answers anything else, such as a promise, the call is denied. */
export type ApprovalPolicy = (call: LoggedCall, tool: Tool) => ApprovalDecision;

/** The first of these that speaks about a call decides. */
export interface ApprovalRules {
  /** By the tool's name. */
  tools?: { readonly [tool: string]: ApprovalDecision | ApprovalPolicy } | undefined;
  /** By what the tool says of itself, where it says `true`, and its own `approval`: the strictest of all these. */
  annotations?: { readonly [hint in keyof ToolAnnotations]?: ApprovalDecision | undefined } | undefined;
  /** For everything else. Without it tools with `readOnlyHint` are allowed and the others ask. */
  otherwise?: ApprovalDecision | undefined;
}

export interface ApprovalRequest {
  readonly call: LoggedCall;
  readonly tool: Tool;
  /** SHA-256 of the arguments in canonical form: what is approved is this call with these arguments, and nothing else. */
  readonly hash: string;
  /** Names the question: a random id. */
  readonly question: string;
  /** What speaks against the call; empty where only the policy asks. */
  readonly concerns: readonly Concern[];
  /** What the call touches, as the tool's `resource` names it: resolved paths such as `file:/srv/notes.md`. */
  readonly touches: readonly string[];
  /** Aborts when the question is no longer open: the run was cancelled, or the time is over. */
  readonly signal: AbortSignal;
}

export interface ApprovalAnswer {
  approved: boolean;
  /** Told to the model. */
  reason?: string | undefined;
}

/**
 * A step in the approval of one call, as it is logged: enough to go on after a restart without asking again, and to run
 * nothing that was not approved.
 */
export interface ApprovalRecord {
  /** Of the call. */
  readonly id: string;
  readonly name: string;
  /** Of the arguments, see {@link ApprovalRequest.hash}. */
  readonly hash: string;
  readonly status: "asked" | "approved" | "denied";
  /** Names the question; its answer carries the same. */
  readonly question?: string;
  readonly reason?: string;
  /**
   * SHA-256 of what the question shows beside the call: what the call touches, what speaks against it, the scope of the
   * conversation, and what the tool says of itself. An approval counts only where all of that is the same.
   */
  readonly shown?: string;
  /** Of an answer: made with the executor's key ring. An answer without a valid one does not count. */
  readonly proof?: Proof;
}
