import { callback, either, flag, listOf, name, recordOf, text } from "@cogency/protocol/options";
import { type Limits, limitsKind } from "./limits.ts";
import { type Timeouts, timeoutsKind } from "./timeouts.ts";

/** The options that every provider over HTTP has, besides its key, its model and its address. */
export interface ConnectionOptions {
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Allows key, headers and query over plain http to another machine, where everybody on the way can read them. Otherwise
   * the provider throws when it is made.
   */
  allowInsecure?: boolean | undefined;
  /** In milliseconds; see `Timeouts` for each. */
  timeouts?: Timeouts | undefined;
  /** The largest sizes of an answer that are accepted; see `Limits` for each. */
  limits?: Limits | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The kinds of these options, and of key, model and address. */
export const connectionKinds = {
  apiKey: either(text, listOf(text, "an array of strings")),
  model: name,
  baseURL: text,
  headers: recordOf(text),
  allowInsecure: flag,
  timeouts: timeoutsKind,
  limits: limitsKind,
  fetch: callback,
};
