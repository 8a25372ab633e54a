import { type ChatReply, readReply } from "./read-reply.ts";
import { type ChatWords, readWords } from "./read-words.ts";
import { fieldsOf, wrong } from "./wrong.ts";

/** What a request of `useChat` asks for. */
export interface ChatRequest {
  readonly conversation: string;
  /** Whether the last answer is asked for again. */
  readonly isAgain: boolean;
  readonly last: ChatWords | ChatReply;
}

/**
 * Reads what `useChat` posts. Only one message counts: the last one, or the message of the assistant that `messageId` names. The rest of
 * the history is not looked at, and fields that are not known are ignored: applications send some of their own.
 *
 * @throws Problem `invalid_request`, which names the field
 */
export function readRequest(body: Readonly<Record<string, unknown>>): ChatRequest {
  const { id, messages, trigger = "submit-message", messageId } = body;
  if (typeof id !== "string" || id === "") throw wrong("id", "give the name of the conversation");
  if (trigger !== "submit-message" && trigger !== "regenerate-message")
    throw wrong("trigger", "give submit-message or regenerate-message");
  if (!Array.isArray(messages) || messages.length === 0) throw wrong("messages", "give an array with a message");
  const isAgain = trigger === "regenerate-message";
  const message = fieldsOf((isAgain ? undefined : named(messages, messageId)) ?? messages.at(-1));
  switch (message.role) {
    case "user":
      return { conversation: id, isAgain, last: readWords(message, body.tools) };
    case "assistant":
      if (isAgain) throw wrong("messages", "the last one must be the user's, whose answer is wanted again");
      return { conversation: id, isAgain, last: readReply(message, body.answers) };
    default:
      throw wrong(
        "messages",
        "the last one must be of the role user or assistant; a system prompt is set on the server",
      );
  }
}

/** `useChat` goes on with a message of the assistant that is not the last one, if that is where a person has answered. */
function named(messages: readonly unknown[], messageId: unknown): unknown {
  if (typeof messageId !== "string") return undefined;
  return messages.findLast((message) => fieldsOf(message).id === messageId && fieldsOf(message).role === "assistant");
}
