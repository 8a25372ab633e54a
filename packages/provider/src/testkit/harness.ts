import type { FinishReason, Usage } from "@cogency/protocol";
import type { Declarations } from "@cogency/protocol/testkit";
import type { Limits } from "../http/limits.ts";
import type { Timeouts } from "../http/timeouts.ts";
import type { ModelRequest, Provider } from "../provider.ts";

/** The reply of the model in one case of the kit. */
export interface ModelReply {
  /** In order. A text is one delta of the wire. */
  parts: readonly ReplyPart[];
  usage: Usage;
  finish: FinishReason;
}

/**
 * A `signature` is a value that the server wants back with later requests, such as the signature of a thought. It consists
 * of letters and digits. A wire that signs only reasoning, or only calls, ignores the other signature.
 */
export type ReplyPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; signature?: string }
  /** The joined `pieces` are the JSON text of the arguments. */
  | { type: "call"; id: string; name: string; pieces: readonly string[]; signature?: string };

/** How a server sends a reply: the bytes that the provider's real server would send. */
export interface Wire {
  /** Defaults to `text/event-stream`. */
  contentType?: string;
  /**
   * The frames of a whole answer, in order. In an event stream each frame is the exact text of one event, with the empty
   * line that ends it. The answer is complete after the last frame.
   */
  answer(reply: ModelReply): string[];
  /** Whether calls have ids on the wire, so that requests must repeat them with the results. Defaults to true. */
  callIds?: boolean;
  /** The frame by which the server reports a failure in the middle of a successful answer. */
  failure?(message: string): string;
  /**
   * What the real server would say of this request body, if it would refuse it. The cases of requests fail where it says
   * something. Absent if the server's rules are not known.
   */
  problem?(body: string): string | undefined;
  /** The JSON body of an answer whose status is not a success. Defaults to `{"error":{"message":…}}`. */
  refusal?(status: number, message: string): string;
}

/** The address of the kit's server, for the provider under test. */
export interface WireAddress {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  apiKey: string;
  timeouts?: Timeouts;
  limits?: Limits;
}

/** A provider that speaks to a server. */
export interface WireHarness {
  wire: Wire;
  provider(address: WireAddress): Provider;
  /**
   * Removes from a request's body the parts that may differ between two requests, such as cache marks. By default the bytes
   * are compared as they were sent.
   */
  normalize?(body: string): string;
  declare?: Declarations;
  /** Milliseconds that a case waits for any one event. Defaults to 10,000. */
  patience?: number;
}

/** A provider that answers by itself. */
export interface LocalHarness {
  wire?: undefined;
  /** Creates a provider that gives exactly `reply`. If that is not possible, declare the cases that need it. */
  provider(reply?: ModelReply): Provider;
  /** A request that is answered with at least three pieces of text. Defaults to the kit's own. */
  request?: ModelRequest;
  declare?: Declarations;
  /** Milliseconds that a case waits for any one event. Defaults to 10,000. */
  patience?: number;
}

export type ProviderHarness = WireHarness | LocalHarness;
