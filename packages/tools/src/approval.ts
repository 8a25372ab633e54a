import type { ToolCall } from "@cogency/protocol";
import type { AbortScope } from "./abort-scope.ts";
import { bounded } from "./bounded.ts";
import type { Tool } from "./tool.ts";

export type ApprovalDecision = "allow" | "ask" | "deny";

/** Decides which calls run. It sees only calls whose tool exists and whose arguments fit. */
export interface Approval {
  /**
   * What to do with a call, told at once; without it read-only tools are allowed and the others ask. If it throws, or
   * answers anything else, such as a promise, the call is denied.
   */
  policy?: ((call: ToolCall & { id: string }, tool: Tool) => ApprovalDecision) | undefined;
  /**
   * Puts the question to somebody. Within a batch one question is open at a time, in call order. Only `true` and
   * `{ approved: true }` approve: without it, if it throws, or if it answers anything else, the call is denied.
   */
  approve?: ((request: ApprovalRequest) => Promise<boolean | ApprovalAnswer>) | undefined;
  /** Milliseconds to wait for an answer before the call is denied; no limit when absent. */
  timeout?: number | undefined;
}

export interface ApprovalRequest {
  readonly call: ToolCall & { id: string };
  readonly tool: Tool;
  /** Aborts when the question is no longer open: the run was cancelled, or the time is over. */
  readonly signal: AbortSignal;
}

export interface ApprovalAnswer {
  approved: boolean;
  /** Told to the model. */
  reason?: string | undefined;
}

type Verdict = { verdict: "allowed" } | { verdict: "denied"; reason: string; cause?: unknown } | { verdict: "aborted" };

/** Judges the calls of one batch; questions are put in the order in which it is called. Never rejects. */
export type Judge = (call: ToolCall & { id: string }, tool: Tool) => Promise<Verdict>;

export function createJudge(approval: Approval | undefined, scope: AbortScope): Judge {
  let lastQuestion: Promise<unknown> = Promise.resolve();

  return async (call, tool) => {
    if (!approval) return allowed;
    const { decision, cause } = decide(approval, call, tool);
    if (decision === "allow") return allowed;
    if (decision !== "ask") return denied("the policy does not allow it.", cause);
    const question = lastQuestion.then(() => ask(approval, call, tool, scope));
    lastQuestion = question;
    return question;
  };
}

const allowed: Verdict = { verdict: "allowed" };

function denied(reason: string, cause?: unknown): Verdict {
  return { verdict: "denied", reason, cause };
}

function decide({ policy }: Approval, call: ToolCall & { id: string }, tool: Tool) {
  if (!policy) return { decision: tool.annotations.readOnlyHint === true ? "allow" : "ask" } as const;
  try {
    const decision = policy(call, tool);
    // An async function is no policy, and nobody else would hear its promise reject.
    Promise.resolve(decision).catch(() => {});
    return { decision };
  } catch (cause) {
    return { decision: "deny", cause } as const;
  }
}

async function ask(
  { approve, timeout = Number.POSITIVE_INFINITY }: Approval,
  call: ToolCall & { id: string },
  tool: Tool,
  scope: AbortScope,
): Promise<Verdict> {
  if (scope.aborted) return { verdict: "aborted" };
  if (!approve) return denied("it needs approval, and nobody is there to give it.");
  const controller = new AbortController();
  const settlement = await bounded(async () => verdictOf(await approve({ call, tool, signal: controller.signal })), {
    scope,
    timeout,
    grace: 0,
    stop: (_, reason) => controller.abort(reason),
  });
  switch (settlement.end) {
    case "aborted":
      return { verdict: "aborted" };
    case "timeout":
      return denied(`nobody answered the question for approval within ${timeout} ms.`);
    case "rejected":
      return denied("the question for approval failed.", settlement.error);
    case "fulfilled":
      return settlement.value;
  }
}

function verdictOf(answer: boolean | ApprovalAnswer | undefined): Verdict {
  const { approved, reason } = typeof answer === "object" && answer !== null ? answer : { approved: answer };
  return approved === true ? allowed : denied(reason ? String(reason) : "approval was not given.");
}
