import type Anthropic from "@anthropic-ai/sdk";
import { listOf, type OptionTable, object, oneOf, text, whole } from "@cogency/protocol/options";
import { type ConnectionOptions, connectionKinds } from "@cogency/provider/http";

export interface AnthropicOptions extends ConnectionOptions {
  /**
   * One key, or several to rotate when the server answers 429. Sent as `Authorization: Bearer …`. If the server is
   * Anthropic's or that of `ANTHROPIC_BASE_URL`, defaults to the environment variables `ANTHROPIC_API_KEY`,
   * `ANTHROPIC_API_KEY_1` and so on, else to `ANTHROPIC_AUTH_TOKEN`. Any other server gets only the key that is given here.
   */
  apiKey?: string | readonly string[] | undefined;
  /** Defaults to `claude-sonnet-5-5`. */
  model?: string | undefined;
  /**
   * The address below which `/v1/messages` is; without user name and password. Defaults to `ANTHROPIC_BASE_URL`, else to
   * Anthropic's own.
   */
  baseURL?: string | undefined;
  /**
   * Sent with every request. Anthropic's server and that of `ANTHROPIC_BASE_URL` also get the headers in the environment
   * variable `ANTHROPIC_CUSTOM_HEADERS`; no other server does.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The names to send in the header `anthropic-beta`. */
  betas?: readonly string[] | undefined;
  /**
   * For requests without a limit of their own, because the wire demands one. Defaults to 32,000 plus the budget for
   * thinking.
   */
  maxOutputTokens?: number | undefined;
  /** As the wire has it. Defaults to the model's own setting. */
  thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** Marks the prompt for the server's cache. Defaults to `true`, which keeps it for 5 minutes. */
  cache?: boolean | "5m" | "1h" | undefined;
}

/** What each option must be. */
export const optionKinds: OptionTable<AnthropicOptions> = {
  ...connectionKinds,
  betas: listOf(text),
  maxOutputTokens: whole(1),
  thinking: object,
  cache: oneOf(true, false, "5m", "1h"),
};
