import { type AbortScope, bounded, isPromise } from "@cogency/async";
import type { Allowed } from "../approval/allowed.ts";
import { answerStatement } from "../approval/answer-statement.ts";
import type {
  Approval,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalRecord,
  ApprovalRequest,
  Concern,
} from "../approval/approval.ts";
import { decide } from "../approval/approval-policy.ts";
import { argumentsHash } from "../approval/canonical-json.ts";
import { concernsAbout, type JudgedCall } from "../approval/concerns.ts";
import { definitionHash } from "../approval/definition-hash.ts";
import { createEchoDetector } from "../approval/echoed-call.ts";
import type { KeyRing } from "../approval/key-ring.ts";
import { shownHash } from "../approval/shown-hash.ts";
import type { BatchContext } from "../executor.ts";
import type { Observer } from "../observer.ts";
import type { RemoteAnswer } from "../questions/answers.ts";
import type { QuestionRecord } from "../questions/question-record.ts";
import type { BatchState } from "./batch-state.ts";
import type { JournalGuard } from "./journal-guard.ts";
import type { LoggedRecords } from "./logged-records.ts";
import type { Turns } from "./turns.ts";

/** A verdict that a person gave, here or, with `remote`, elsewhere. */
type Answered =
  | { verdict: "allowed"; remote?: RemoteAnswer; allowed?: Allowed }
  | { verdict: "denied"; reason: string; cause?: unknown; remote?: RemoteAnswer };

/** What judges say of a call. `allowed` is what the log keeps of why it may run. */
type Verdict =
  | Answered
  /** Nobody here can answer, and the question stands. */
  | { verdict: "waiting"; question: QuestionRecord }
  | { verdict: "aborted" };

/**
 * Decides about the calls of one batch, and asks a person where that is needed, one question at a time in the order of its
 * calls. No question is put before `released` resolves: until the model has closed its block, the call may become void.
 * Never rejects.
 */
export type Judge = (judged: JudgedCall, released: Promise<unknown> | undefined) => Verdict | Promise<Verdict>;

type Approve = NonNullable<Approval["approve"]>;

interface JudgeParts {
  approval: Approval | undefined;
  /** Signs answers, and verifies logged ones. */
  keyRing: KeyRing;
  context: BatchContext;
  logged: LoggedRecords;
  state: BatchState;
  scope: AbortScope;
  journal: JournalGuard;
  observe: Observer;
  /** One question of the batch is open at a time. */
  turns: Turns;
}

export function createJudge(parts: JudgeParts): Judge {
  const { approval, keyRing, context, logged, state, scope, journal, observe, turns } = parts;
  const surroundings = {
    content: context.content,
    policy: approval?.content,
    isRedefined: context.changes?.isRedefined.bind(context.changes),
    echoOf: createEchoDetector(context.state?.events ?? [], () => scope.isAborted()),
  };
  const mayWait = context.whenUnanswered === "wait";
  let lastLookup: Promise<unknown> = Promise.resolve();

  /** Looks for logged answers one call after another, so that the remaining questions keep their order. */
  function lookUp(judged: JudgedCall, concerns: readonly Concern[] | Promise<readonly Concern[]>) {
    const lookup = lastLookup.then(async () => answeredBefore(judged, await concerns));
    lastLookup = lookup;
    return lookup;
  }

  /**
   * The logged answer about this call with these arguments that the key ring verifies; any other record is ignored. The id of the
   * call is not enough: a hook, an edited log or an import may bring other arguments under the same id, and they were never shown. So
   * the hash of the arguments is compared, and the proof covers it. A denial stands whatever its question showed; an approval is `outdated` if the question would show something else now.
   */
  async function answeredBefore(
    judged: JudgedCall,
    concerns: readonly Concern[],
  ): Promise<ApprovalRecord | "outdated" | undefined> {
    const { id, name, args } = judged.call;
    const own = logged.approvals(id).filter((record) => record.name === name && isAnswer(record));
    if (own.length === 0) return undefined;
    const hash = await argumentsHash(args);
    const answers: ApprovalRecord[] = [];
    for (const record of own) if (record.hash === hash && (await isOurs(record))) answers.push(record);
    const denied = answers.find(({ status }) => status === "denied");
    if (denied || answers.length === 0) return denied;
    const shown = await shownHash(judged, concerns, context.scope);
    return answers.find((answer) => shown !== undefined && answer.shown === shown) ?? "outdated";
  }

  /**
   * Whether a person has answered the question about this call meanwhile. That counts also where the policy would allow the call now:
   * they may have said no.
   */
  async function isAnsweredElsewhere(judged: JudgedCall, concerns: readonly Concern[]): Promise<boolean> {
    const standing = standingQuestion(judged.call.id);
    if (standing === undefined || !context.remote?.has(standing.id)) return false;
    const hash = await argumentsHash(judged.call.args);
    const shown = await shownHash(judged, concerns, context.scope);
    return isSameQuestion(standing, { hash, shown, definition: await definitionOf(judged) });
  }

  /** The question about a call that stands in the log: the last one, because one that shows something else takes the place of it. */
  function standingQuestion(call: string): QuestionRecord | undefined {
    return logged.questions(call).findLast(({ asks, agents }) => asks === "approval" && agents === undefined);
  }

  async function isOurs({ proof, ...record }: ApprovalRecord): Promise<boolean> {
    const verifying = () => keyRing.verify(answerStatement(context, record), proof);
    const settlement = await bounded(verifying, { scope, timeout: Number.POSITIVE_INFINITY, grace: 0 });
    return settlement.end === "fulfilled" && settlement.value === true;
  }

  async function ask(
    approve: Approve,
    request: Omit<ApprovalRequest, "signal">,
    question: QuestionRecord,
  ): Promise<Verdict> {
    const { timeout = Number.POSITIVE_INFINITY } = approval ?? {};
    const controller = new AbortController();
    const { signal } = controller;
    const here = async () => verdictOf(await approve({ ...request, signal }));
    const elsewhere = async () =>
      verdictOfRemote(await (context.remote?.wait(question.id, "approval", signal) ?? never()));
    const settlement = await bounded(() => Promise.race([here(), elsewhere()]), {
      scope,
      timeout,
      grace: 0,
      stop: (_, reason) => controller.abort(reason),
    });
    controller.abort();
    switch (settlement.end) {
      case "aborted":
        return { verdict: "aborted" };
      case "timeout":
        if (mayWait) return { verdict: "waiting", question };
        return denial(because(`nobody answered the question for approval within ${timeout} ms.`, request.concerns));
      case "rejected":
        return denial("the question for approval failed.", settlement.error);
      case "fulfilled":
        return settlement.value;
    }
  }

  /** Whether the call will not run in any case, so that no question is put. */
  function isPointless(): boolean {
    return scope.isAborted() || state.gaveUp() !== undefined;
  }

  /** The answer that has come from elsewhere, or the one of the person who is asked here; without either the call waits. */
  async function answerTo(
    question: QuestionRecord,
    request: Omit<ApprovalRequest, "signal">,
    approve: Approve | undefined,
  ): Promise<Verdict> {
    const remote = context.remote?.find(question.id, "approval");
    if (remote) return verdictOfRemote(remote);
    return approve ? ask(approve, request, question) : { verdict: "waiting", question };
  }

  /** Logs question and answer, so that after a restart the answer holds for this call and no other. */
  async function askAndLog(judged: JudgedCall, concerns: readonly Concern[], isOutdated: boolean): Promise<Verdict> {
    if (isPointless()) return { verdict: "aborted" };
    const told = Object.freeze(isOutdated ? [...concerns, outdated] : concerns);
    const approve = context.approve ?? approval?.approve;
    if (!approve && !mayWait) return denial(because("it needs approval, and nobody is there to give it.", told));
    const { call, requested, tool, claim } = judged;
    const { id, name, args } = call;
    const shown = await shownHash(judged, concerns, context.scope);
    const hash = await argumentsHash(args);
    const definition = await definitionOf(judged);
    const touches = Object.freeze([...claim.keys]);
    const standing = standingQuestion(id);
    const known = standing && isSameQuestion(standing, { hash, shown, definition }) ? standing : undefined;
    const asked: QuestionRecord = {
      id: known?.id ?? crypto.randomUUID(),
      call: id,
      name,
      ...(requested !== call && { args }),
      hash,
      asks: "approval",
      touches,
      concerns: told,
      ...(shown !== undefined && { shown }),
      ...(definition !== undefined && { definition }),
    };
    if (!known && !(await journal.write((entries) => entries.question(asked)))) return { verdict: "aborted" };
    const { conversation, user, run, agents } = context;
    const question = asked.id;
    const from = { ...(agents && { agents }), ...(definition !== undefined && { definition }) };
    const request = { conversation, user, run, call, tool, hash, question, concerns: told, touches, ...from };
    observe({ type: "asked", request });
    if (isPointless()) return { verdict: "aborted" };
    const verdict = await answerTo(asked, request, approve);
    if (verdict.verdict === "aborted" || verdict.verdict === "waiting") return verdict;
    const settled = await logAnswer({ id, name, hash, question, ...(shown !== undefined && { shown }) }, verdict);
    if (settled.verdict === "aborted") return settled;
    observe({ type: "answered", call, question, ...answerIn(settled) });
    await tellAnswered(request, settled.verdict === "allowed");
    return settled.verdict === "allowed" ? byQuestion(question) : settled;
  }

  async function tellAnswered(request: Omit<ApprovalRequest, "signal">, approved: boolean): Promise<void> {
    const told = approval?.answered;
    if (told) await bounded(() => told(request, { approved }), { scope, timeout: Number.POSITIVE_INFINITY, grace: 0 });
  }

  /** Signs and logs an answer. An answer that cannot be signed denies: after a restart nothing could verify it. */
  async function logAnswer(
    record: Omit<ApprovalRecord, "status">,
    verdict: Answered,
  ): Promise<Answered | { verdict: "aborted" }> {
    const answer: ApprovalRecord =
      verdict.verdict === "denied"
        ? { ...record, status: "denied", reason: verdict.reason }
        : { ...record, status: "approved" };
    const signing = () => keyRing.sign(answerStatement(context, answer));
    const signed = await bounded(signing, { scope, timeout: Number.POSITIVE_INFINITY, grace: 0 });
    if (signed.end === "fulfilled") {
      return (await log({ ...answer, proof: signed.value }, verdict.remote)) ? verdict : { verdict: "aborted" };
    }
    if (signed.end !== "rejected") return { verdict: "aborted" };
    const reason = "the answer to the question for approval could not be signed.";
    return (await log({ ...record, status: "denied", reason })) ? denial(reason, signed.error) : { verdict: "aborted" };
  }

  function log(entry: ApprovalRecord, remote?: RemoteAnswer): boolean | Promise<boolean> {
    return journal.write((entries) => entries.approval(entry, remote));
  }

  /** Decides about a call that the policy does not deny. */
  function judge(
    judged: JudgedCall,
    decision: "allow" | "allow_anyway" | "ask",
    free: Answered,
    released: Promise<unknown> | undefined,
  ): Verdict | Promise<Verdict> {
    const concerns = concernsAbout(judged, decision, surroundings);
    if (context.approvals) return remember(judged, decision, free, concerns, released);
    const weigh = (known: readonly Concern[]) =>
      mustAsk(decision, known) ? askNext(judged, known, false, released) : free;
    return isPromise(concerns) ? concerns.then(weigh) : weigh(concerns);
  }

  async function askNext(
    judged: JudgedCall,
    concerns: readonly Concern[],
    isOutdated: boolean,
    released: Promise<unknown> | undefined,
  ) {
    if (released) await released;
    return turns(() => askAndLog(judged, concerns, isOutdated));
  }

  async function remember(
    judged: JudgedCall,
    decision: ApprovalDecision,
    free: Answered,
    concerns: readonly Concern[] | Promise<readonly Concern[]>,
    released: Promise<unknown> | undefined,
  ): Promise<Verdict> {
    const known = await lookUp(judged, concerns);
    if (known === "outdated" || known === undefined) {
      const now = await concerns;
      const asks = mustAsk(decision, now) || (await isAnsweredElsewhere(judged, now));
      return asks ? askNext(judged, now, known === "outdated", released) : free;
    }
    return known.status === "approved" ? byQuestion(known.question) : denial(known.reason ?? "approval was not given.");
  }

  return (judged, released) => {
    const { decision, allowed: reason, cause } = decide(approval, judged.call, judged.tool, context);
    // A denial by the policy of now also overrides an approval from before a restart.
    if (decision === "deny") return denial("the policy does not allow it.", cause);
    // The client is the program of the person, and decides itself what it runs.
    if (judged.tool.client && !judged.asks?.length) return { verdict: "allowed", allowed: { by: "client" } };
    return judge(judged, decision, { verdict: "allowed", allowed: reason }, released);
  };
}

/** The hash of the definition of a tool that somebody else has defined; undefined also where JSON cannot hold it. */
async function definitionOf({ tool }: JudgedCall): Promise<string | undefined> {
  return tool.definedBy === undefined ? undefined : definitionHash(tool).catch(() => undefined);
}

/**
 * Whether a logged question shows this. An edited log may name a definition that a person knows in a question about another one; a log of
 * an earlier version names none.
 */
function isSameQuestion(
  question: QuestionRecord,
  { hash, shown, definition }: Record<"hash" | "shown" | "definition", string | undefined>,
): boolean {
  if (question.hash !== hash || question.shown !== shown) return false;
  return question.definition === undefined || question.definition === definition;
}

/** Whether the call asks: the policy says so, or there is a concern. */
function mustAsk(decision: ApprovalDecision, concerns: readonly Concern[]): boolean {
  return decision === "ask" || concerns.length > 0;
}

const allowed: Answered = { verdict: "allowed" };

/** A person has said yes to a question. */
function byQuestion(question: string | undefined): Answered {
  return { verdict: "allowed", allowed: { by: "approval", ...(question !== undefined && { question }) } };
}

const outdated: Concern = {
  kind: "changed",
  why:
    "It was approved before, but that does not count any more: what it touches, what speaks against it, the project it " +
    "belongs to, or what its tool says of itself is not what was shown then.",
};

function denial(reason: string, cause?: unknown): Answered {
  return { verdict: "denied", reason, cause };
}

/** A reason for the model, with the concerns about its call. */
function because(reason: string, concerns: readonly Concern[]): string {
  return [reason, ...concerns.map(({ why }) => why)].join(" ");
}

/** Whether the record is an answer. A question without one is put again. */
function isAnswer({ status, question }: ApprovalRecord): boolean {
  return (status === "approved" || status === "denied") && typeof question === "string";
}

function verdictOfRemote(remote: RemoteAnswer): Answered {
  return { ...verdictOf(remote), remote };
}

/** What observers hear of an answer. */
function answerIn(answered: Answered) {
  const by = answered.remote?.by;
  const sender = by === undefined ? {} : { by };
  if (answered.verdict === "allowed") return { approved: true, ...sender };
  const { reason, cause: error } = answered;
  return { approved: false, reason, ...sender, ...(error !== undefined && { error }) };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function verdictOf(answer: boolean | ApprovalAnswer | undefined): Answered {
  const { approved, reason } = typeof answer === "object" && answer !== null ? answer : { approved: answer };
  // A store may replace malformed text, and the proof must fit the text that it returns.
  return approved === true ? allowed : denial(reason ? String(reason).toWellFormed() : "approval was not given.");
}
