import type { ThinkBlock } from "./chat/leading-thinking.ts";

/** How a server's wire differs from OpenAI's. */
export interface Flavor {
  /** OpenAI's own models refuse `max_tokens`; many other servers know only that. */
  readonly limitField: "max_completion_tokens" | "max_tokens";
  /** Every assistant message carries `reasoning_content`, empty if there is none: without it the server answers 400. */
  readonly echoReasoning: boolean;
  /** Where the content of an answer may hold thinking. */
  readonly thinkBlock: ThinkBlock;
}
