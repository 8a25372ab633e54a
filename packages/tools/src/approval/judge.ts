import type { AbortScope } from "../async/abort-scope.ts";
import { bounded } from "../async/bounded.ts";
import type { BatchState } from "../batch/batch-state.ts";
import type { JournalGuard } from "../batch/journal-guard.ts";
import type { BatchContext } from "../executor.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool } from "../tool.ts";
import type { Approval, ApprovalAnswer, ApprovalRecord, ApprovalRequest } from "./approval.ts";
import { decide } from "./approval-policy.ts";
import { createEchoDetector } from "./echoed-call.ts";
import { argumentsHash } from "./hash-arguments.ts";

type Verdict = { verdict: "allowed" } | { verdict: "denied"; reason: string; cause?: unknown } | { verdict: "aborted" };

/**
 * Judges the calls of one batch; questions are put in the order in which it is called. `released` resolves when the
 * model has closed its batch: nobody is asked before, about calls that may still be void. Never rejects.
 */
export type Judge = (judged: JudgedCall, released: Promise<unknown> | undefined) => Verdict | Promise<Verdict>;

interface JudgedCall {
  call: LoggedCall;
  /** As the model wrote it. */
  requested: LoggedCall;
  tool: Tool;
}

type Approve = NonNullable<Approval["approve"]>;

interface JudgeParts {
  approval: Approval | undefined;
  context: BatchContext;
  state: BatchState;
  scope: AbortScope;
  journal: JournalGuard;
}

export function createJudge({ approval, context, state, scope, journal }: JudgeParts): Judge {
  const isEcho = createEchoDetector(context.state?.events ?? []);
  let lastLookup: Promise<unknown> = Promise.resolve();
  let lastQuestion: Promise<unknown> = Promise.resolve();

  /** One after another, so that the questions that remain keep their order. */
  function lookUp(call: LoggedCall, records: readonly ApprovalRecord[]): Promise<ApprovalRecord | undefined> {
    const lookup = lastLookup.then(() => recorded(call, records));
    lastLookup = lookup;
    return lookup;
  }

  /** What was decided about these very arguments before a restart. */
  async function recorded({ id, name, args }: LoggedCall, records: readonly ApprovalRecord[]) {
    const own = records.filter((record) => record.id === id && record.name === name);
    if (own.length === 0) return undefined;
    const hash = await argumentsHash(args);
    return own.findLast((record) => record.hash === hash);
  }

  async function ask(approve: Approve, request: Omit<ApprovalRequest, "signal">): Promise<Verdict> {
    const { timeout = Number.POSITIVE_INFINITY } = approval ?? {};
    const controller = new AbortController();
    const settlement = await bounded(async () => verdictOf(await approve({ ...request, signal: controller.signal })), {
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

  /** Nobody is asked about a call that will not run in any case. */
  function isPointless(): boolean {
    return scope.isAborted() || state.gaveUp() !== undefined;
  }

  /** Question and answer are logged, so that a restart neither asks again nor runs anything else. */
  async function askAndLog(call: LoggedCall, tool: Tool, suspicion: Suspicion): Promise<Verdict> {
    if (isPointless()) return { verdict: "aborted" };
    const { approve } = approval ?? {};
    if (!approve) return denied(`${because(suspicion)}it needs approval, and nobody is there to give it.`);
    const { id, name } = call;
    const record = { id, name, hash: await argumentsHash(call.args) };
    const log = (entry: ApprovalRecord) => journal.write((entries) => entries.approval(entry));
    if (!(await log({ ...record, status: "asked" })) || isPointless()) return { verdict: "aborted" };
    const verdict = await ask(approve, { call, tool, hash: record.hash, suspicion });
    if (verdict.verdict === "aborted") return verdict;
    const answer: ApprovalRecord =
      verdict.verdict === "denied"
        ? { ...record, status: "denied", reason: verdict.reason }
        : { ...record, status: "approved" };
    return (await log(answer)) ? verdict : { verdict: "aborted" };
  }

  /** What the policy leaves open. */
  function judge(
    { call, requested, tool }: JudgedCall,
    decision: "allow" | "ask",
    released: Promise<unknown> | undefined,
  ): Verdict | Promise<Verdict> {
    // What a hook made of a planted call is still somebody else's call.
    const isSuspect = isEcho(call) || (requested !== call && isEcho(requested));
    if (decision === "allow" && !isSuspect) return allowed;
    return inTurn(call, tool, isSuspect ? "echo" : undefined, released);
  }

  async function inTurn(call: LoggedCall, tool: Tool, suspicion: Suspicion, released: Promise<unknown> | undefined) {
    if (released) await released;
    const question = lastQuestion.then(() => askAndLog(call, tool, suspicion));
    lastQuestion = question;
    return question;
  }

  async function remember(
    judged: JudgedCall,
    decision: "allow" | "ask",
    records: readonly ApprovalRecord[],
    released: Promise<unknown> | undefined,
  ): Promise<Verdict> {
    const known = await lookUp(judged.call, records);
    if (known?.status === "approved") return allowed;
    if (known?.status === "denied") return denied(known.reason ?? "approval was not given.");
    if (known) return denied("the question for approval was not answered before the run broke off.");
    return judge(judged, decision, released);
  }

  return (judged, released) => {
    const { decision, cause } = decide(approval, judged.call, judged.tool);
    // Also where it was approved before a restart: what the host forbids now, nobody may have allowed then.
    if (decision === "deny") return denied("the policy does not allow it.", cause);
    const { approvals } = context;
    return approvals ? remember(judged, decision, approvals, released) : judge(judged, decision, released);
  };
}

type Suspicion = ApprovalRequest["suspicion"];

const allowed: Verdict = { verdict: "allowed" };

function denied(reason: string, cause?: unknown): Verdict {
  return { verdict: "denied", reason, cause };
}

function because(suspicion: Suspicion): string {
  return suspicion === "echo" ? "its text stands in an earlier result, so " : "";
}

function verdictOf(answer: boolean | ApprovalAnswer | undefined): Verdict {
  const { approved, reason } = typeof answer === "object" && answer !== null ? answer : { approved: answer };
  return approved === true ? allowed : denied(reason ? String(reason) : "approval was not given.");
}
