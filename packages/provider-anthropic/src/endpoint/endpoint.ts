import type Anthropic from "@anthropic-ai/sdk";
import type { CompleteLimits } from "@cogency/provider/http";

/** One server and one key, with the settings that the wire needs. */
export interface Endpoint {
  readonly client: Anthropic;
  /** The address below which the server's paths begin. */
  readonly url: URL;
  readonly limits: CompleteLimits;
  readonly defaults: RequestDefaults;
  /** Added to the message of an error if the server does not accept the key, or if there is none. */
  readonly advice: string | undefined;
  /** Removes every configured key, header and query value from a text. */
  redact(text: string): string;
}

/** The settings that a request is built with. */
export interface RequestDefaults {
  /** For requests that name no model. */
  model: string;
  /** Defaults to 32,000 plus the budget for thinking. */
  maxOutputTokens?: number | undefined;
  thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** Marks the end of each part that the server should cache. Without it nothing is cached. */
  cacheControl?: Anthropic.CacheControlEphemeral | undefined;
  /** Anthropic's own API has had no `temperature` since its version 2026-10-21 and refuses it; others take it. */
  takesTemperature: boolean;
}
