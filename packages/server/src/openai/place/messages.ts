import type { QuestionPart } from "@cogency/protocol/parts";
import type { MessageContent, StoredEvent } from "@cogency/storage";
import { openQuestions } from "../../conversation/open-questions.ts";
import type { Asked, Said } from "../said.ts";
import { WireProblem, wrong } from "../wire-problem.ts";
import { decisionsIn, divided, joinedWords, outputsIn } from "./history.ts";
import { readApprovalId, readCallId } from "./ids.ts";

type Open = Omit<QuestionPart, "type" | "open">;

/**
 * The messages that the end of a request stands for, in a conversation with these events. What a client says of calls and questions counts
 * only where they are open there.
 *
 * @throws WireProblem for what is not open, for words while calls are, and for a request without words
 */
export function messagesOf(asked: Asked, events: readonly StoredEvent[]): MessageContent[] {
  const { last } = divided(asked.said);
  const open = openQuestions(events);
  const outputs = outputsOf(last, open);
  const decisions = decisionsOf(last, open);
  const settled = new Set([...outputs, ...decisions].map(({ question }) => question));
  const left = open.filter(({ id }) => !settled.has(id));
  const call = left.find(({ client }) => client);
  if (call)
    throw wrong(asked.param, `no tool output follows for the function call of ${call.name}`, "tool_output_missing");
  const words = joinedWords(last.filter(({ type }) => settled.size === 0 || type === "words"));
  if (words && left.length > 0) throw waiting(left, asked.param);
  if (!words && settled.size === 0) throw wrong(asked.param, "end it with a message of the user");
  return [...outputs, ...decisions, ...(words ? [wordsMessage(asked, words, settled.size > 0)] : [])];
}

function outputsOf(last: readonly Said[], open: readonly Open[]) {
  const seen = new Set<string>();
  return outputsIn(last).map(({ call, output, param }) => {
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
