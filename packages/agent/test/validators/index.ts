import { messagesProblem } from "./anthropic-messages.ts";
import { geminiProblem } from "./gemini-generate-content.ts";
import { chatProblem } from "./openai-chat.ts";
import { responsesProblem } from "./openai-responses.ts";
import type { Validate } from "./problem.ts";

/** What the server of each wire accepts, by the rules of its documentation and by the errors that it is known for. */
export const validators = {
  chat: chatProblem,
  responses: responsesProblem,
  messages: messagesProblem,
  gemini: geminiProblem,
} satisfies Record<string, Validate>;

export type Wire = keyof typeof validators;
