import type { Subject, WireSubject } from "./subject.ts";

/**
 * What a case asks of a provider beyond the contract's least.
 *
 * - `reply`: it can be made to say a given thing
 * - `tools`, `reasoning`, `format`: its `capabilities` say so
 * - `event_stream`: its wire is one of server-sent events
 * - `failure`: its wire can tell a failure in the middle of an answer
 * - `native`: its server wants something of an answer back with later requests
 */
export type Need = "reply" | "tools" | "reasoning" | "format" | "event_stream" | "failure" | "native";

/** A case before it is bound to a provider. `check` rejects, with a sentence that says what is wrong. */
export type ProviderCase =
  | { name: string; on: "any"; needs?: readonly Need[]; check(subject: Subject): Promise<void> }
  | { name: string; on: "wire"; needs?: readonly Need[]; check(subject: WireSubject): Promise<void> };
