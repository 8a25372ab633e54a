import type Anthropic from "@anthropic-ai/sdk";
import type { Limits, Timeouts } from "@cogency/provider/http";

export interface AnthropicOptions {
  /**
   * Sent as `Authorization: Bearer …`. Of several keys the next one is taken when one is refused with 429. When absent,
   * and the server is Anthropic's or that of `ANTHROPIC_BASE_URL`, the environment variables `ANTHROPIC_API_KEY`,
   * `ANTHROPIC_API_KEY_1` and so on, and if there is none of them `ANTHROPIC_AUTH_TOKEN`. Any other server gets the key
   * that is given here, or none.
   */
  apiKey?: string | readonly string[] | undefined;
  /** `claude-sonnet-5-5` by default. */
  model?: string | undefined;
  /**
   * What stands before `/v1/messages`; without user name and password. `ANTHROPIC_BASE_URL`, else Anthropic's own, when
   * absent.
   */
  baseURL?: string | undefined;
  /**
   * Sent with every request, besides those that the environment variable `ANTHROPIC_CUSTOM_HEADERS` holds, which only
   * Anthropic's server and that of `ANTHROPIC_BASE_URL` get.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Names for the header `anthropic-beta`. */
  betas?: readonly string[] | undefined;
  /**
   * For requests that name no limit of their own; the wire demands one. 32,000 by default, and with a budget for
   * thinking as much more as that.
   */
  maxOutputTokens?: number | undefined;
  /** In the words of the wire; the model's own default when absent. */
  thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** Marks what the server is to keep for the next turn, for 5 minutes by default. `true` by default. */
  cache?: boolean | "5m" | "1h" | undefined;
  /**
   * Send key, headers and query over plain http to another machine, where everybody on the way can read them. Without it
   * that is refused.
   */
  allowInsecure?: boolean | undefined;
  timeouts?: Timeouts | undefined;
  /** How much of an answer is taken; see `Limits` for each. */
  limits?: Limits | undefined;
  /** Takes the place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}
