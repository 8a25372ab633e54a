import assert from "node:assert/strict";
import { join } from "node:path";
import { missingResults, parseResults, type ToolResult } from "@cogency/protocol";
import type { Store, StoredEvent } from "@cogency/storage";
import { files, linesIn } from "./files.ts";
import { conversationOf, farewell, paymentOf, promptOf, reasonOf, type Sending, type Talk } from "./plan.ts";

/** What came of the messages, for people. */
export interface Tally {
  prompts: number;
  /** Messages that were taken, the refused ones included. */
  taken: number;
  refused: number;
  /** Payments that were made. */
  paid: number;
  /** Payments that were denied. */
  denied: number;
  /** Runs that a message cancelled. */
  cancelled: number;
  /** Payments that a killed process had begun, so that the model reads `outcome unknown`. */
  unknown: number;
}

/**
 * Asserts what must hold however often the processes were killed: each message counts once, in order, or is refused for a
 * reason; each payment is made at most once, and only if it was approved; and the log says which.
 *
 * @throws AssertionError
 */
export async function checkLaws(store: Store, folder: string, talks: readonly Talk[]): Promise<Tally> {
  const tally: Tally = { prompts: 0, taken: 0, refused: 0, paid: 0, denied: 0, cancelled: 0, unknown: 0 };
  const journal = linesIn(join(folder, files.journal)).map((line): Sending => JSON.parse(line));
  const effects = linesIn(join(folder, files.effects));
  assert.deepEqual(
    effects.filter((payment, index) => effects.indexOf(payment) !== index),
    [],
    "paid twice",
  );
  const paid = new Set(effects);
  const held = linesIn(join(folder, files.finished));
  assert.deepEqual(
    held.toSorted(),
    [...new Set(journal.map(({ conversation }) => conversation))].toSorted(),
    "conversations that the sender began and finished",
  );
  for (const [index, talk] of talks.entries()) {
    const conversation = conversationOf(index);
    if (!held.includes(conversation)) continue;
    const log = await store.load({ conversation });
    const sent = journal.filter((sending) => sending.conversation === conversation);
    assert.deepEqual(await store.inbox({ conversation }), [], `${conversation}: unread`);
    checkMessages(conversation, log, sent, talk, tally);
    checkCancels(conversation, log, tally);
    for (const turn of turnsOf(log)) checkTurn(conversation, turn, talk, paid, tally);
  }
  assert.deepEqual([...paid], [], "paid by no call");
  return tally;
}

/** Each message is in the log once, the words among them with their text behind them, and is refused only for a reason. */
function checkMessages(
  conversation: string,
  log: readonly StoredEvent[],
  sent: readonly Sending[],
  talk: Talk,
  tally: Tally,
): void {
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
    `${conversation}: numbers`,
  );
  const taken = log.flatMap((event) => (event.type === "record" && event.kind === "message" ? [event.data] : []));
  // A process that was killed may have written a message into its journal twice.
  const ids = [...new Set(sent.map(({ id }) => id))];
  assert.deepEqual(taken.map(({ id }) => id).toSorted(), ids.toSorted(), `${conversation}: taken, and sent`);
  const prompts = [...talk.map((plan, index) => promptOf(conversation, index, plan)), farewell.content];
  const steers = sent.flatMap(({ message }) => (message.kind === "steer" ? [message.content] : []));
  const said = log.flatMap((event) => (event.type === "user" && !event.origin ? [event.content] : []));
  assert.deepEqual(
    said.filter((text) => !steers.includes(text)),
    prompts,
    `${conversation}: prompts`,
  );
  assert.deepEqual(
    said.filter((text) => steers.includes(text)),
    [...new Set(steers)],
    `${conversation}: steers`,
  );
  for (const { id, refused } of taken) {
    if (refused === undefined) continue;
    assert.match(refused, reasons.find(([kind]) => id.startsWith(kind))?.[1] ?? /never/, `${conversation}: ${id}`);
    tally.refused++;
  }
  assert.deepEqual(
    taken.filter(({ id, refused }) => id.startsWith("late answer") && refused === undefined),
    [],
    `${conversation}: second answers that counted`,
  );
  tally.prompts += prompts.length;
  tally.taken += taken.length;
}

/** Why a message may be refused, by the beginning of its id. */
const reasons: readonly [string, RegExp][] = [
  ["cancel", /^The run (had ended|is being cancelled)\.$/],
  ["answer", /^The question is not open\.$/],
  ["late answer", /^The question (is not open|was answered before)\.$/],
];

/** Each cancel that was not refused ended a run there, and what was cancelled did not go on. */
function checkCancels(conversation: string, log: readonly StoredEvent[], tally: Tally): void {
  const cancels = log.filter(
    (event) =>
      event.type === "record" && event.kind === "message" && event.data.kind === "cancel" && !event.data.refused,
  );
  const ends = log.filter(({ type }) => type === "cancelled");
  assert.equal(ends.length, cancels.length, `${conversation}: cancelled runs`);
  for (const [nth, { seq }] of cancels.entries()) {
    const between = log.slice(seq, (ends[nth]?.seq ?? 0) - 1).filter((event) => !isRefused(event));
    const types = between.map(({ type }) => type).join();
    assert.ok(types === "" || types === "result", `${conversation}: ${types} in a cancel at ${seq}`);
  }
  for (const { seq } of ends) {
    const next = log.slice(seq).find(({ type }) => type !== "record");
    assert.ok(next?.type === "user" && !next.origin, `${conversation}: went on after it was cancelled at ${seq}`);
  }
  tally.cancelled += ends.length;
}

function isRefused(event: StoredEvent): boolean {
  return event.type === "record" && event.kind === "message" && event.data.refused !== undefined;
}

/** The log from each prompt to the next one. */
function turnsOf(log: readonly StoredEvent[]): StoredEvent[][] {
  const starts = log.flatMap((event, index) =>
    event.type === "record" && event.kind === "message" && event.data.kind === "prompt" ? [index] : [],
  );
  return starts.map((start, nth) => log.slice(start, starts[nth + 1]));
}

/** The turn has ended; each of its payments was made once or not at all, as the answer to its question and its result say. */
function checkTurn(
  conversation: string,
  turn: readonly StoredEvent[],
  talk: Talk,
  paid: Set<string>,
  tally: Tally,
): void {
  const [record] = turn;
  const id = record?.type === "record" && record.kind === "message" ? record.data.id : "";
  const where = `${conversation}, ${id}`;
  const records = turn.filter((event) => event.type === "record");
  const isCancelled = turn.some(({ type }) => type === "cancelled");
  assert.ok(isCancelled || records.some(({ kind }) => kind === "run"), `${where}: has not ended`);
  assert.deepEqual(missingResults(turn), [], `${where}: calls without a result`);
  if (id === farewell.id) {
    assert.ok(!isCancelled && !turn.some(({ type }) => type === "call"), `${where}: does not say farewell`);
    return;
  }
  const index = Number(id.split(" ").at(-1));
  const verdicts = talk[index]?.verdicts ?? [];
  const calls = turn.flatMap((event) => (event.type === "call" ? [event] : []));
  const results = turn.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
  assert.equal(results.length, calls.length, `${where}: results`);
  assert.ok(calls.length === verdicts.length || (isCancelled && calls.length === 0), `${where}: ${calls.length} calls`);
  for (const [part, call] of calls.entries()) {
    const payment = paymentOf(conversation, index, part);
    assert.deepEqual(JSON.parse(call.content), { name: "pay", args: { payment } });
    const answers = records.flatMap((one) =>
      one.kind === "approval" && one.data.id === call.id && one.data.status !== "asked" ? [one.data.status] : [],
    );
    const fate: Fate = {
      payment,
      verdict: answers[0],
      hasStarted: records.some(({ kind, data }) => kind === "started" && data.id === call.id),
      hasFinished: records.some(({ kind, data }) => kind === "finished" && data.id === call.id),
      isPaid: paid.delete(payment),
      isCancelled,
    };
    assert.ok(answers.length <= 1, `${payment}: answered ${answers}`);
    if (fate.verdict) assert.equal(fate.verdict, verdicts[part] === "approve" ? "approved" : "denied", payment);
    const { status, content } = results[part] as ToolResult;
    checkPayment(fate, status, String(content), tally);
  }
}

interface Fate {
  payment: string;
  verdict: "asked" | "approved" | "denied" | undefined;
  hasStarted: boolean;
  hasFinished: boolean;
  isPaid: boolean;
  /** Whether the run was cancelled, before or after the payment. */
  isCancelled: boolean;
}

function checkPayment(fate: Fate, status: ToolResult["status"], content: string, tally: Tally): void {
  const { payment, verdict, hasStarted, hasFinished, isPaid, isCancelled } = fate;
  const told = `${JSON.stringify(fate)}, the model reads ${status}: ${content}`;
  assert.ok(verdict === "approved" || (!hasStarted && !isPaid), `not approved, and begun or paid: ${told}`);
  assert.ok(hasStarted || !isPaid, `paid, and the log does not say that it began: ${told}`);
  assert.equal(status === "success", content === `paid ${payment}`, told);
  // A run that is cancelled says of each call that has not ended that it was.
  if (status === "success") assert.ok(hasFinished && isPaid, told);
  else if (verdict === "denied" && !isCancelled) assert.ok(content.includes(reasonOf(payment)), told);
  else if (!hasStarted) assert.ok(isCancelled || verdict === "denied", `neither paid nor cancelled: ${told}`);
  else assert.ok(isCancelled || content.startsWith("outcome unknown"), told);
  assert.ok(!isPaid || !/before it began|no result/.test(content), `paid, and told otherwise: ${told}`);
  if (isPaid) tally.paid++;
  if (verdict === "denied") tally.denied++;
  if (content.startsWith("outcome unknown")) tally.unknown++;
}
