import type { HttpEndpoint, Timeouts } from "@cogency/provider/http";
import type OpenAI from "openai";
import type { Flavor } from "../flavor.ts";

/** One server and one key, with the settings that every wire needs. */
export interface Endpoint extends Omit<HttpEndpoint, "fetch"> {
  readonly client: OpenAI;
  /** Empty if the server needs none. */
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  /** The provider's `name`; native blocks carry it. */
  readonly name: string;
  /** For requests that name no model. */
  readonly model: string;
  readonly flavor: Flavor;
}
