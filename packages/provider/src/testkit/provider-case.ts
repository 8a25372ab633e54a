import type { Subject, WireSubject } from "./subject.ts";

/**
 * A feature that a case needs and not every provider has.
 *
 * - `reply`: the provider can be made to give a certain reply
 * - `tools`, `reasoning`, `thinking`, `format`, `attachments`: its `capabilities` have it
 * - `event_stream`: its wire consists of server-sent events
 * - `failure`: its wire can report a failure in the middle of an answer
 * - `native`: its server wants native blocks back with later requests
 */
export type Need =
  | "reply"
  | "tools"
  | "reasoning"
  | "thinking"
  | "format"
  | "attachments"
  | "event_stream"
  | "failure"
  | "native";

/** A case before it is bound to a provider. `check` rejects with a sentence that says what is wrong. */
export type ProviderCase =
  | { name: string; on: "any"; needs?: readonly Need[]; check(subject: Subject): Promise<void> }
  | { name: string; on: "wire"; needs?: readonly Need[]; check(subject: WireSubject): Promise<void> };
