import type { FinishReason, Usage } from "@cogency/protocol";
import type { Limits } from "../http/limits.ts";
import type { Timeouts } from "../http/timeouts.ts";
import type { ModelRequest, Provider } from "../provider.ts";

/** What the model says in one case of the kit. */
export interface ModelReply {
  /** In order; a text is one delta of the wire. */
  parts: readonly ReplyPart[];
  usage: Usage;
  finish: FinishReason;
}

/**
 * A `signature` stands for what the server wants back with later requests, such as the signature of a thought. It is
 * letters and digits. A wire that has one at reasoning only, or at calls only, leaves the other one out.
 */
export type ReplyPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; signature?: string }
  /** `pieces` put together are the JSON text of the arguments. */
  | { type: "call"; id: string; name: string; pieces: readonly string[]; signature?: string };

/** How a server says it, in the bytes that the provider's real server would send. */
export interface Wire {
  /** `text/event-stream` by default. */
  contentType?: string;
  /**
   * The frames of a whole answer in their order: of an event stream each the exact text of one event, with the empty
   * line that ends it. With the last of them the answer is complete.
   */
  answer(reply: ModelReply): string[];
  /** Whether the wire names calls by ids, so that requests must repeat those of calls with their results. True by default. */
  callIds?: boolean;
  /** The frame by which the server says, in the middle of a successful answer, that it has failed. */
  failure?(message: string): string;
  /** The JSON body of an answer whose status is no success; `{"error":{"message":…}}` by default. */
  refusal?(status: number, message: string): string;
}

/** Where the provider under test finds the kit's server. */
export interface WireAddress {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  apiKey: string;
  timeouts?: Timeouts;
  limits?: Limits;
}

/** Names of cases that do not apply, each with the reason. */
export type Declarations = Readonly<Record<string, string>>;

/** A provider that speaks to a server. */
export interface WireHarness {
  wire: Wire;
  provider(address: WireAddress): Provider;
  /**
   * Takes out of a request's body what may differ between two turns, such as markers of what to cache. By default the
   * bytes are compared as they were sent.
   */
  normalize?(body: string): string;
  declare?: Declarations;
  /** Milliseconds that a case waits for any one thing; 10,000 by default. */
  patience?: number;
}

/** A provider that answers by itself. */
export interface LocalHarness {
  wire?: undefined;
  /** With `reply` it is to say just that, if it can be told; a provider that cannot declares the cases that need it. */
  provider(reply?: ModelReply): Provider;
  /** A request to which it answers with at least three pieces of text; the kit's own by default. */
  request?: ModelRequest;
  declare?: Declarations;
  /** Milliseconds that a case waits for any one thing; 10,000 by default. */
  patience?: number;
}

export type ProviderHarness = WireHarness | LocalHarness;
