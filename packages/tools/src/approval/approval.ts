import type { LoggedCall } from "../logged-call.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";

export type ApprovalDecision = "allow" | "ask" | "deny";

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
  /** What speaks against the call, if anything: `"echo"`, its text stands in an earlier result. */
  readonly suspicion: "echo" | undefined;
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
  readonly reason?: string;
}
