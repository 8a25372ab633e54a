import type { ToolMessage, UserMessage } from "@ag-ui/core";
import type { Json } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { PostedByBridge } from "@cogency/server/bridge";
import type { MessageContent } from "@cogency/storage";
import { sha256 } from "@cogency/tools/host";
import type { ClientView } from "../out/client-view.ts";
import { contentOf } from "../out/content.ts";
import { withContext } from "../words/context.ts";
import { objectAt, optionalText, wrong } from "./fields.ts";
import type { GivenMessage } from "./given-message.ts";
import { readWords } from "./parts.ts";
import type { Resume, RunInput } from "./run-input.ts";

/** What the server knows of the conversation, and no client can say. */
export interface Known {
  /** Whether the log has a message of this id. */
  isKnown(id: string): boolean;
  /** The questions that are open. */
  readonly questions: readonly QuestionPart[];
}

/** What an input says that is new: what is posted for it, in order, and what the client has besides. */
export interface InputNews extends ClientView {
  readonly posts: readonly PostedByBridge[];
}

/**
 * Decides what of an input counts: answers to questions that are open, and the last words of the person that the log does not have.
 *
 * @throws Problem `invalid_request`
 */
export async function newsOf(input: RunInput, { isKnown, questions }: Known): Promise<InputNews> {
  const prompts = newestWords(input.messages, isKnown);
  const read = prompts.map((prompt, index) => promptOf(prompt, input, index === prompts.length - 1));
  const results = questions.flatMap((question) => resultOf(question, input.messages));
  const decisions = input.resume.flatMap((resume) => decisionOf(resume, questions));
  const answers = [...decisions, ...results.map(({ answer }) => answer)].map(postOf);
  return {
    messages: input.messages.filter((message) => !prompts.includes(message) && !isAmong(results, message)),
    news: [...results.map(({ message }) => message), ...read.map(({ message }) => message)],
    posts: [...(await Promise.all(answers)), ...read.map(({ post }) => post)],
  };
}

/** The user messages at the end, behind the last answer, that are new. Those before it are history, which is the server's alone. */
function newestWords(messages: readonly GivenMessage[], isKnown: (id: string) => boolean): GivenMessage[] {
  const end = messages.findLastIndex(
    ({ role, id }) => role === "assistant" || role === "reasoning" || (role === "user" && isKnown(id)),
  );
  const news = messages.slice(end + 1).filter(({ role }) => role === "user");
  if (news.length > mostNews) throw wrong("messages", `at most ${mostNews} of the user's may be new`);
  return news;
}

const mostNews = 20;

function promptOf(
  { id, given, place }: GivenMessage,
  { tools, context }: RunInput,
  isLast: boolean,
): { post: PostedByBridge; message: UserMessage } {
  if (!isMessageId(id)) throw wrong(`${place}.id`, "give 1 to 128 visible ASCII characters, such as a UUID");
  const { text, attachments } = readWords(given.content, `${place}.content`);
  if (text.trim() === "" && attachments.length === 0) throw wrong(`${place}.content`, "it is empty");
  const content = isLast ? withContext(text, context) : text;
  return {
    message: { id, role: "user", content: contentOf(text, attachments) },
    post: {
      id,
      content: {
        kind: "prompt",
        content,
        ...(attachments.length > 0 && { attachments }),
        ...(tools.length > 0 && { tools }),
      },
    },
  };
}

/** What settles a question. */
interface Answer {
  readonly question: string;
  readonly content: MessageContent;
}

/** The id is the same for an answer that is sent again, also by another client, and another one for an answer after one that did not fit. */
async function postOf({ question, content }: Answer): Promise<PostedByBridge> {
  const digest = await sha256(JSON.stringify([question, content]));
  return { id: `answer-${digest.slice(0, 32)}`, content };
}

interface Result {
  readonly answer: Answer;
  readonly message: ToolMessage;
}

/** The result of a call that the client was asked to run. What it says of other calls is not believed. */
function resultOf(question: QuestionPart, messages: readonly GivenMessage[]): Result[] {
  if (!question.client) return [];
  const result = messages.findLast((message) => message.role === "tool" && message.toolCallId === question.call);
  if (result?.role !== "tool") return [];
  const { id, role, toolCallId, content: output, error } = result;
  const content: Json = error === undefined ? { output } : { error };
  return [
    {
      answer: { question: question.id, content: { kind: "answer", question: question.id, content } },
      message: { id, role, toolCallId, content: output, ...(error !== undefined && { error }) },
    },
  ];
}

function isAmong(results: readonly Result[], { role, id }: GivenMessage): boolean {
  return role === "tool" && results.some(({ message }) => message.id === id);
}

/** What a person decided about a question. One that is not open is left alone: somebody has answered it, or it never was. */
function decisionOf(resume: Resume, questions: readonly QuestionPart[]): Answer[] {
  const question = questions.find(({ id, client }) => id === resume.interruptId && !client);
  if (!question) return [];
  const content = question.asks === "approval" ? approvalOf(resume, question.id) : answerOf(resume, question.id);
  return [{ question: question.id, content }];
}

function approvalOf({ isCancelled, payload }: Resume, question: string): MessageContent {
  if (isCancelled) return { kind: "deny", question, reason: "The person dismissed the question." };
  if (typeof payload === "boolean") return { kind: payload ? "approve" : "deny", question };
  const place = `resume: payload of ${question}`;
  const { approved, reason: given, editedArgs } = objectAt(payload, place);
  if (typeof approved !== "boolean") throw wrong(place, "give { approved: true } or { approved: false }");
  if (editedArgs !== undefined && editedArgs !== null)
    throw wrong(place, "a call runs as the person was asked, or not at all: leave out `editedArgs`");
  const reason = optionalText(given, place);
  return { kind: approved ? "approve" : "deny", question, ...(reason !== undefined && { reason }) };
}

/** A question that a call asks can be answered only. Who does not want to answer ends the run. */
function answerOf({ isCancelled, payload }: Resume, question: string): MessageContent {
  if (isCancelled) return { kind: "cancel" };
  if (payload === undefined) throw wrong(`resume: payload of ${question}`, "give the answer");
  return { kind: "answer", question, content: payload };
}

function isMessageId(id: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(id);
}
