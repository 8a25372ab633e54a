import type { CompleteLimits, Timeouts } from "@cogency/provider/http";
import type OpenAI from "openai";
import type { Flavor } from "../flavor.ts";

/** One server and one key, and what every wire needs to know of them. */
export interface Endpoint {
  readonly client: OpenAI;
  /** Where the server's paths begin. */
  readonly url: URL;
  /** Empty where the server needs none. */
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly limits: CompleteLimits;
  /** The provider's `name`; native blocks carry it. */
  readonly name: string;
  /** For requests that name no model. */
  readonly model: string;
  readonly flavor: Flavor;
  /** What else to say when the server does not know the key, or there is none. */
  readonly advice?: string | undefined;
  /** Takes every key, header and query value that is configured out of a text. */
  redact(text: string): string;
}
