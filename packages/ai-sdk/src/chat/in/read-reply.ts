import type { Json } from "@cogency/protocol";
import { fieldsOf, wrong } from "./wrong.ts";

/** A message of the assistant with what a person, or the page, has answered in it. Nothing else of the message counts. */
export interface ChatReply {
  readonly type: "reply";
  /** The id of the message. */
  readonly id: string;
  readonly decisions: readonly Decision[];
}

/** An answer to a question, which counts only if the question is open in the log. */
export type Decision =
  | { readonly question: string; readonly isLast: boolean; readonly approved: boolean; readonly reason?: string }
  | { readonly question: string; readonly isLast: boolean; readonly content: Json }
  /** What came of a call of a tool of the page. */
  | { readonly call: string; readonly isLast: boolean; readonly content: { output: Json } | { error: string } };

/** @throws Problem `invalid_request` */
export function readReply({ id, parts }: Readonly<Record<string, unknown>>, answers: unknown): ChatReply {
  if (typeof id !== "string") throw wrong("messages", "the last one needs an id");
  if (!Array.isArray(parts)) throw wrong("messages", "the last one needs an array of parts");
  const step = parts.findLastIndex((part) => fieldsOf(part).type === "step-start");
  return {
    type: "reply",
    id,
    decisions: [...readAnswers(answers), ...parts.flatMap((part, at) => decisionOf(fieldsOf(part), at > step) ?? [])],
  };
}

/** `isLast` says that the part stands in the last step, so that nothing of the answer has come since. */
function decisionOf(part: Readonly<Record<string, unknown>>, isLast: boolean): Decision | undefined {
  const { type, state, toolCallId, output, errorText } = part;
  if (typeof type !== "string" || !(type.startsWith("tool-") || type === "dynamic-tool")) return undefined;
  if (state === "approval-responded") {
    const { id, approved, reason } = fieldsOf(part.approval);
    if (typeof id !== "string" || typeof approved !== "boolean")
      throw wrong("messages", "an approval that was responded to needs an id and approved");
    return { question: id, isLast, approved, ...reasonOf(reason) };
  }
  if (typeof toolCallId !== "string" || part.preliminary === true) return undefined;
  if (state === "output-error")
    return { call: toolCallId, isLast, content: { error: typeof errorText === "string" ? errorText : "It failed." } };
  if (state === "output-available") return { call: toolCallId, isLast, content: { output: jsonOf(output) } };
  return undefined;
}

/** The answers that stand beside the messages, to questions that are parts `data-question`. */
function readAnswers(answers: unknown = []): Decision[] {
  if (!Array.isArray(answers) || answers.length > mostAnswers)
    throw wrong("answers", `give an array of at most ${mostAnswers} answers`);
  return answers.map((answer) => {
    const { question, approved, reason, content } = fieldsOf(answer);
    if (typeof question !== "string") throw wrong("answers", "each needs the id of its question");
    if (typeof approved === "boolean") return { question, isLast: true, approved, ...reasonOf(reason) };
    if (content === undefined) throw wrong("answers", "each needs approved or content");
    return { question, isLast: true, content: jsonOf(content) };
  });
}

const mostAnswers = 100;

function reasonOf(reason: unknown): { reason?: string } {
  if (reason === undefined || reason === null || reason === "") return {};
  if (typeof reason !== "string" || reason.length > longestReason)
    throw wrong("messages", `a reason is a text of at most ${longestReason} characters`);
  return { reason };
}

const longestReason = 10_000;

function jsonOf(value: unknown = null): Json {
  if (isDeeperThan(value, deepest)) throw wrong("messages", `an answer is nested more than ${deepest} levels deep`);
  return value as Json;
}

/** As deep as arguments may be (protocol.md P15). */
const deepest = 256;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
