import type { Store, StoredEvent } from "@cogency/storage";
import {
  farewell,
  type Plan,
  paymentOf,
  promptOf,
  reasonOf,
  type Sending,
  type SentMessage,
  steerOf,
  type Talk,
} from "./plan.ts";

interface Conversing {
  store: Store;
  conversation: string;
  talk: Talk;
  /** The ids of the messages that were posted already. */
  sent: Set<string>;
  post(sending: Sending): Promise<void>;
}

/** Holds a conversation to its end. What it does follows from the log alone, so another process can go on with it. */
export async function converse(conversing: Conversing): Promise<void> {
  const { store, conversation } = conversing;
  const log: StoredEvent[] = [];
  for await (const _ of store.watch({ conversation })) {
    log.push(...(await store.load({ conversation }, { after: log.length })));
    await attend(conversing, log);
    if (isOver(log, farewell.id) && (await store.inbox({ conversation })).length === 0) return;
  }
}

async function attend(conversing: Conversing, log: readonly StoredEvent[]): Promise<void> {
  const { talk, conversation, sent } = conversing;
  const taken = takenIn(log);
  const current = talk.findLastIndex((_, index) => taken.has(promptId(index)));
  const plan = talk[current];
  if (plan) await attendTurn(conversing, plan, current, log, taken);
  // The next prompt is posted while this one runs, unless a cancel comes in between.
  const isHeld = plan?.cancel === "late" && !taken.has(cancelId(current));
  const next = talk[current + 1];
  if (next && !isHeld) {
    await say(conversing, promptId(current + 1), {
      kind: "prompt",
      content: promptOf(conversation, current + 1, next),
    });
  }
  const waitsForNothing = [...sent].every((id) => taken.has(id) || id.startsWith("steer"));
  if (plan && !next && isOver(log, promptId(current)) && !isHeld && waitsForNothing) {
    await say(conversing, farewell.id, { kind: "prompt", content: farewell.content });
  }
}

/** Steers, answers and cancels as planned, as far as the turn has come. */
async function attendTurn(
  conversing: Conversing,
  plan: Plan,
  index: number,
  log: readonly StoredEvent[],
  taken: ReadonlySet<string>,
): Promise<void> {
  const cancel = () => say(conversing, cancelId(index), { kind: "cancel", reason: `enough of ${index}` });
  if (isOver(log, promptId(index))) {
    if (plan.cancel === "late") await cancel();
    return;
  }
  if (plan.steers) await say(conversing, `steer ${index}`, { kind: "steer", content: steerOf(index) });
  if (plan.cancel === "taken") await cancel();
  const questions = openQuestions(since(log, promptId(index)));
  if (questions.length !== plan.verdicts.length) return;
  if (plan.cancel === "asked") return cancel();
  for (const [part, verdict] of [...plan.verdicts.entries()].reverse()) {
    const question = questions[part] ?? "";
    const reason = reasonOf(paymentOf(conversing.conversation, index, part));
    const opposite = verdict === "approve" ? "deny" : "approve";
    await say(conversing, answerId(question), { kind: verdict, question, reason });
    if (plan.isTakenBack) await say(conversing, lateAnswerId(question), { kind: opposite, question, reason });
    if (plan.cancel === "half") await cancel();
    if (plan.isSlow && !taken.has(answerId(question))) return;
  }
  if (plan.cancel === "answered") await cancel();
}

/** Posts a message, unless that was done. */
async function say({ conversation, sent, post }: Conversing, id: string, message: SentMessage): Promise<void> {
  if (sent.has(id)) return;
  sent.add(id);
  await post({ conversation, id, message });
}

/** The question of each call of the turn, in call order; none once its batch is closed. */
function openQuestions(turn: readonly StoredEvent[]): string[] {
  if (turn.some(({ type }) => type === "result")) return [];
  const questions = turn.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data] : []));
  const calls = turn.flatMap((event) => (event.type === "call" ? [event.id] : []));
  return calls.flatMap((call) => questions.find((question) => question.call === call)?.id ?? []);
}

/** Whether the turn that the message began has ended. */
function isOver(log: readonly StoredEvent[], prompt: string): boolean {
  return since(log, prompt).some(
    (event) => event.type === "cancelled" || (event.type === "record" && event.kind === "run"),
  );
}

/** The log from the record of the message on; nothing before it was taken. */
function since(log: readonly StoredEvent[], message: string): readonly StoredEvent[] {
  const start = log.findIndex((event) => isMessage(event) && event.data.id === message);
  return start < 0 ? [] : log.slice(start);
}

function takenIn(log: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(log.filter(isMessage).map(({ data }) => data.id));
}

function isMessage(event: StoredEvent): event is StoredEvent & { type: "record"; kind: "message" } {
  return event.type === "record" && event.kind === "message";
}

function promptId(index: number): string {
  return `prompt ${index}`;
}

function cancelId(index: number): string {
  return `cancel ${index}`;
}

function answerId(question: string): string {
  return `answer ${question}`;
}

/** Of the second answer to a question. */
function lateAnswerId(question: string): string {
  return `late answer ${question}`;
}
