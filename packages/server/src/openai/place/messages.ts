import type { QuestionPart } from "@cogency/protocol/parts";
import type { MessageContent, StoredEvent, StoredMessage } from "@cogency/storage";
import { openQuestions } from "../../conversation/open-questions.ts";
import type { Asked, Said, SaidOutput } from "../said.ts";
import { WireProblem, wrong } from "../wire-problem.ts";
import { changedTools } from "./brought.ts";
import { decisionsIn, divided, joinedWords, outputsIn } from "./history.ts";
import { readApprovalId, readCallId } from "./ids.ts";

type Open = Omit<QuestionPart, "type" | "open">;

/** A conversation, and the messages that no run has read yet. */
export interface Before {
  readonly events: readonly StoredEvent[];
  readonly inbox: readonly StoredMessage[];
}

/**
 * The messages that the end of a request stands for, in a conversation with these events. What a client says of calls and questions counts
 * only where they are open there.
 *
 * @throws WireProblem for what is not open, for words while calls are, and for a request without words
 */
export function messagesOf(asked: Asked, before: Before): MessageContent[] {
  const { last } = divided(asked.said);
  const open = openIn(before);
  const outputs = outputsOf(last, open, settledCalls(before));
  const decisions = decisionsOf(last, open);
  const settled = new Set([...outputs, ...decisions].map(({ question }) => question));
  const left = open.filter(({ id }) => !settled.has(id));
  const call = left.find(({ client }) => client);
  if (call)
    throw wrong(asked.param, `no tool output follows for the function call of ${call.name}`, "tool_output_missing");
  if (outputs.length > 0 && left.length === 0)
    // A worker may go on as soon as the last result has come, and is to find them.
    return [...wordsWithOutputs(asked, before), ...outputs, ...decisions];
  const words = joinedWords(last.filter(({ type }) => settled.size === 0 || type === "words"));
  if (words && left.length > 0) throw waiting(left, asked.param);
  if (!words && settled.size === 0) throw wrong(asked.param, "end it with a message of the user");
  return [...outputs, ...decisions, ...(words ? [wordsMessage(asked, words, settled.size > 0)] : [])];
}

/** The questions that are open, and that no message settles which waits to be read. */
function openIn({ events, inbox }: Before): Open[] {
  const answered = new Set(inbox.flatMap(({ message }) => ("question" in message ? message.question : [])));
  return openQuestions(events).filter(({ id }) => !answered.has(id));
}

/** The ids of the calls of the client that wait for nothing any more. */
export function settledCalls(before: Before): ReadonlySet<string> {
  const open = new Set(openIn(before).map(({ call }) => call));
  const asked = before.events.flatMap((event) =>
    event.type === "record" && event.kind === "question" && event.data.client ? event.data.call : [],
  );
  return new Set(asked.filter((call) => !open.has(call)));
}

/** Results that have come before are left out where others are new: a limit may have stopped the client halfway. */
function outputsOf(last: readonly Said[], open: readonly Open[], settled: ReadonlySet<string>) {
  const seen = new Set<string>();
  const outputs = outputsIn(last);
  const isNew = ({ call }: SaidOutput) => !settled.has(readCallId(call).id);
  return outputs
    .filter((one) => isNew(one) || !outputs.some(isNew))
    .map(({ call, output, param }) => {
      const { id } = readCallId(call);
      const question = open.find((one) => one.client && one.call === id);
      if (!question || seen.has(id)) {
        throw wrong(param, `no function call ${call.slice(0, 80)} waits for an output`, "tool_call_not_found");
      }
      seen.add(id);
      return { kind: "answer", question: question.id, content: { output } } as const;
    });
}

function decisionsOf(last: readonly Said[], open: readonly Open[]) {
  const seen = new Set<string>();
  return decisionsIn(last).map(({ request, isApproved, reason, param }) => {
    const id = readApprovalId(request)?.id;
    const question = open.find((one) => one.asks === "approval" && one.id === id);
    if (!question || seen.has(question.id))
      throw wrong(param, `no approval request ${request.slice(0, 80)} is open`, "approval_request_not_found");
    seen.add(question.id);
    const kind = isApproved ? "approve" : "deny";
    return { kind, question: question.id, ...(reason !== undefined && { reason }) } as const;
  });
}

/** The words that come with results, of which the last ones let the run go on. */
function wordsWithOutputs(asked: Asked, { events }: Before): MessageContent[] {
  const changed = changedTools(asked, events);
  const words = divided(asked.said).last.filter(({ type }) => type === "words");
  const joined = joinedWords([...words, ...(changed?.instructions ?? [])]);
  if (!changed) return joined ? [wordsMessage(asked, joined, true)] : [];
  const { text = "", attachments = [] } = joined ?? {};
  const content = text === "" && attachments.length === 0 ? wordsAfterResults : text;
  return [{ kind: "steer", content, ...(attachments.length > 0 && { attachments }), tools: changed.tools }];
}

/** Words of the model's user where the client has none of its own. */
export const wordsAfterResults = "The results of these calls have come. Go on.";

function wordsMessage(
  asked: Asked,
  { text, attachments }: NonNullable<ReturnType<typeof joinedWords>>,
  isMore: boolean,
): MessageContent {
  const words = { content: text, ...(attachments.length > 0 && { attachments }) };
  if (isMore) return { kind: "steer", ...words };
  return { kind: "prompt", ...words, ...(asked.tools.length > 0 && { tools: asked.tools }) };
}

function waiting(left: readonly Open[], param: string): WireProblem {
  const names = left.map(({ name }) => name).join(", ");
  return new WireProblem("conflict", `The conversation waits for an answer about ${names}. Answer it first.`, {
    param,
    code: "waiting_for_answer",
    // Clients try a 409 again by themselves.
    headers: { "x-should-retry": "false" },
  });
}
