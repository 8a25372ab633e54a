import type { Agent } from "@cogency/agent";
import type { Json } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { MessageContent, Store, StoredMessage } from "@cogency/storage";
import { exitCodes } from "../base/errors/exit-code.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOfLog } from "../base/scope-of-log.ts";
import { exact } from "../base/terminal/exact-text.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { shellWord } from "../base/terminal/shell-word.ts";
import { oneLine, widthOr } from "../base/terminal/text.ts";
import { type AskedServer, askedServer } from "../person/approval/asked-server.ts";
import { serverSentences } from "../person/approval/server-call.ts";
import { type AskedQuestion, askedRows, questionsOf } from "../person/show/open-questions.ts";
import { resumeCommand } from "../person/show/resume-command.ts";
import { findConversation } from "../place/store/find-conversation.ts";
import { isRunAtWork } from "../place/store/run-at-work.ts";
import { withHistory } from "../place/store/with-history.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";

export interface AnswerCommandOptions {
  store: string;
  /** Why not, or why the run is cancelled. */
  reason?: string;
}

/** `content` answers a question of a tool. */
export type Answer = { kind: "approve" | "deny" } | { kind: "answer"; content: string };

/**
 * `cogency approve`, `cogency deny` and `cogency answer`: answers a question from another terminal. Without a question they print those
 * that are open, with all that will run.
 *
 * @returns the exit code: that of waiting if it printed open questions
 * @throws UsageError for a conversation or a question that there is not, and one that is settled
 */
export function answerCommand(
  conversation: string,
  wanted: string | undefined,
  answer: Answer,
  { store: place, reason }: AnswerCommandOptions,
): Promise<number> {
  return withHistory({ store: place }, async (store) => {
    const name = await findConversation(conversation, store, place);
    const log = await store.load({ conversation: name });
    const scope = scopeOfLog(log);
    const questions = questionsOf(log);
    if (wanted === undefined) {
      const open = questions.filter(({ question }) => question.open);
      return listed({ name, scope }, open, answeredIn(await store.inbox({ conversation: name })));
    }
    const asked = questionFor(wanted, questions, name);
    const { question } = asked;
    if (answer.kind === "approve") tellOfServer(askedServer({ ...asked, name: question.name }, scope));
    const message = messageFor(question, answer, reason);
    return told(await post(await agentWithoutModel(store), store, name, message), resumeCommand(name, place));
  });
}

/**
 * `cogency cancel`: ends the run that is at work on a conversation.
 *
 * @returns the exit code
 * @throws UsageError for a conversation that there is not, and one without a run
 */
export function cancelCommand(conversation: string, { store: place, reason }: AnswerCommandOptions): Promise<number> {
  return withHistory({ store: place }, async (store) => {
    const name = await findConversation(conversation, store, place);
    if (!(await isRunAtWork(store, name)))
      throw new UsageError(
        `No run is at work on the conversation "${oneLine(name, 60)}", so there is nothing to cancel.`,
      );
    const message = { kind: "cancel", ...(reason !== undefined && { reason }) } as const;
    return told(await post(await agentWithoutModel(store), store, name, message), resumeCommand(name, place));
  });
}

/** The message that answers a question. */
export function messageFor({ id, asks, schema }: QuestionPart, answer: Answer, reason?: string): MessageContent {
  if ((asks === "answer") !== (answer.kind === "answer")) {
    const means = asks === "answer" ? "an answer in words: cogency answer" : "cogency approve or cogency deny";
    throw new UsageError(`The question ${shortId(id)} needs ${means}.`);
  }
  if (answer.kind === "approve") return { kind: "approve", question: id };
  if (answer.kind === "answer") {
    const isText = schema === undefined || schema.type === "string";
    return { kind: "answer", question: id, content: isText ? answer.content : jsonOrText(answer.content) };
  }
  const why = reason?.trim() ? `the user said no: ${reason.trim()}` : "the user said no.";
  return { kind: "deny", question: id, reason: why };
}

/** JSON where it is JSON, else a text. */
function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Finds a question by its id, or how that begins. */
function questionFor(wanted: string, questions: readonly AskedQuestion[], name: string): AskedQuestion {
  const meant = questions.filter(({ question }) => question.id.startsWith(wanted));
  const open = meant.filter(({ question }) => question.open);
  const [only] = open;
  if (only && open.length === 1) return only;
  const shown = `"${oneLine(wanted, 60)}"`;
  if (open.length > 1) throw new UsageError(`Several open questions begin with ${shown}: give more of the id.`);
  const [settled] = meant;
  if (settled) {
    const how =
      settled.question.decision ?? "its call has ended without an answer, or another question has taken its place";
    throw new UsageError(`The question ${shown} is settled: ${how}.`);
  }
  throw new UsageError(
    `The conversation "${oneLine(name, 60)}" has no question ${shown}. cogency approve ${shellWord(name)} shows the open ones.`,
  );
}

/** The questions whose answers wait for a run. */
function answeredIn(inbox: readonly StoredMessage[]): ReadonlySet<string> {
  return new Set(inbox.flatMap(({ message }) => ("question" in message ? [message.question] : [])));
}

/** What a person may have missed who answers by an id. */
function tellOfServer({ tool, place, doubt }: AskedServer): void {
  for (const sentence of tool ? serverSentences(tool, place) : []) note(exact(sentence));
  if (doubt) note(exact(doubt.why));
}

async function listed(
  { name, scope }: { name: string; scope: string | undefined },
  open: readonly AskedQuestion[],
  answered: ReadonlySet<string>,
): Promise<number> {
  if (open.length === 0) {
    note(`No question is open in ${oneLine(name, 60)}.`);
    return exitCodes.done;
  }
  const { stdout } = process;
  const blocks = open.map((asked) => {
    const { id, asks, client } = asked.question;
    const place = `${shellWord(name)} ${shortId(id)}`;
    const means = answered.has(id)
      ? ["  It is answered. The answer waits for a run to read it."]
      : asks === "answer"
        ? [
            ...(client ? ["  The client that brought the tool answers it. In its place:"] : []),
            `  cogency answer ${place} <text or JSON>`,
          ]
        : [`  cogency approve ${place}`, `  cogency deny ${place} --reason <why>`];
    return [...askedRows(asked, stdout, widthOr(stdout, 100), scope), ...means].join("\n");
  });
  await put(`${blocks.join("\n\n")}\n`);
  return exitCodes.waiting;
}

/** Enough of an id to tell questions of one conversation apart. */
function shortId(id: string): string {
  return id.slice(0, 8);
}

function told(posted: Posted, resume: string): number {
  if (posted.state === "refused") throw new UsageError(`The run did not take it: ${oneLine(posted.why, 300)}`);
  if (posted.state === "taken") note("The run has taken it.");
  else if (posted.isRunning) note("It is sent. The run is busy, and reads it when it looks for messages.");
  else note(`It is sent, but no run is at work to read it. It waits for: ${resume}`);
  return exitCodes.done;
}

/** What became of a message: a run took it, or refused it and says why; or it waits, and whether a run is at work that may take it. */
export type Posted = { state: "taken" } | { state: "refused"; why: string } | { state: "waits"; isRunning: boolean };

/** Sends a message to a conversation, and waits at most `patience` milliseconds until the run at work there has taken it. */
export async function post(
  agent: Agent,
  store: Store,
  conversation: string,
  message: MessageContent,
  patience = 5000,
): Promise<Posted> {
  const key = { conversation };
  const after = (await store.load(key, { last: 1 })).at(-1)?.seq ?? 0;
  const isRunning = await isRunAtWork(store, conversation);
  const id = await agent.send(key, message);
  if (!isRunning) return { state: "waits", isRunning };
  // Each way to take a message leaves a record of it in the log.
  for await (const event of store.follow(key, { after, signal: AbortSignal.timeout(patience) })) {
    if (event.type !== "record" || event.kind !== "message" || event.data?.id !== id) continue;
    const { refused } = event.data;
    return refused === undefined ? { state: "taken" } : { state: "refused", why: String(refused) };
  }
  return { state: "waits", isRunning };
}
