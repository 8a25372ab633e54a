import type { CompleteLimits } from "@cogency/provider/http";
import type { GoogleThinking } from "../options.ts";

/** One server and one key, with the settings that the wire needs. */
export interface Endpoint {
  /** The address below which the server's paths begin. */
  readonly url: URL;
  readonly limits: CompleteLimits;
  readonly defaults: RequestDefaults;
  /** Added to the message of an error if the server does not accept the key, or if there is none. */
  readonly advice: string | undefined;
  /** Sends a request to `streamGenerateContent` of the model. Any status may come back. */
  ask(model: string, body: object, signal: AbortSignal | undefined): Promise<Response>;
  /** Removes every configured key, header and query value from a text. */
  redact(text: string): string;
}

/** The settings that a request is built with. */
export interface RequestDefaults {
  /** For requests that name no model. */
  model: string;
  thinking?: GoogleThinking | undefined;
}
