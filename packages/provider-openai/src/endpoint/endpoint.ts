import type { CompleteLimits, Timeouts } from "@cogency/provider/http";
import type OpenAI from "openai";
import type { Flavor } from "../flavor.ts";

/** One server and one key, with the settings that every wire needs. */
export interface Endpoint {
  readonly client: OpenAI;
  /** The address below which the server's paths begin. */
  readonly url: URL;
  /** Empty if the server needs none. */
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly limits: CompleteLimits;
  /** The provider's `name`; native blocks carry it. */
  readonly name: string;
  /** For requests that name no model. */
  readonly model: string;
  readonly flavor: Flavor;
  /** Added to the message of an error if the server does not accept the key, or if there is none. */
  readonly advice?: string | undefined;
  /** Removes every configured key, header and query value from a text. */
  redact(text: string): string;
}
