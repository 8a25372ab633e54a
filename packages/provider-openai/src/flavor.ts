import type { SchemaRules } from "@cogency/provider/http";
import type { ThinkBlock } from "./chat/leading-thinking.ts";
import type { GrammarField } from "./grammar.ts";

/** How a server's wire differs from OpenAI's. `presets.ts` has the servers, with the source of each rule. */
export interface Flavor {
  /** OpenAI's own models refuse `max_tokens`; many other servers know only that. */
  readonly limitField: "max_completion_tokens" | "max_tokens";
  /** Every assistant message carries `reasoning_content`, empty if there is none: without it the server answers 400. */
  readonly echoReasoning: boolean;
  /** User and assistant must take turns, as `alternating` of `@cogency/provider/http` makes them. */
  readonly alternatesRoles: boolean;
  /** `json_object`: the server holds the model to some JSON object, but to no schema. */
  readonly format: "json_schema" | "json_object";
  readonly schema: SchemaRules;
  /** `tool_choice` may name a tool. If not, the request offers that tool alone, and demands a call. */
  readonly choosesByName: boolean;
  /** Where the content of an answer may hold thinking. */
  readonly thinkBlock: ThinkBlock;
  /** How an answer is bound to a language. */
  readonly grammar: GrammarField;
}
