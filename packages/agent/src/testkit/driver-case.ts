import type { Subject } from "./subject.ts";

/**
 * An ability that a case needs and not every driver has.
 *
 * - `calls`: its models call tools
 * - `batches`: they write several calls in one answer
 * - `text_beside_calls`: they write words for the user in an answer that calls
 * - `thinking`: its models think apart from their text
 * - `deltas`: it gives the arguments of calls as they are written
 * - `native`: it stores the provider's own blocks
 * - `refusals`: there are blocks that it refuses
 */
type Need = "calls" | "batches" | "text_beside_calls" | "thinking" | "deltas" | "native" | "refusals";

/** A case before it is bound to a driver. `check` rejects with a sentence that says what is wrong. */
export interface DriverCase {
  name: string;
  needs?: readonly Need[];
  /** The case passes only with this ability, so that it tells whether a driver has it. */
  proves?: Need;
  check(subject: Subject): Promise<void>;
}
