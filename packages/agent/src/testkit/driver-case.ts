import type { Subject } from "./subject.ts";

/**
 * An ability that a case needs and not every driver has.
 *
 * - `calls`: its models call tools
 * - `thinking`: its models think apart from their text
 * - `deltas`: it gives the arguments of calls as they are written
 * - `native`: it stores the provider's own blocks
 * - `refusals`: there are blocks that it refuses
 */
export type Need = "calls" | "thinking" | "deltas" | "native" | "refusals";

/** A case before it is bound to a driver. `check` rejects with a sentence that says what is wrong. */
export interface DriverCase {
  name: string;
  needs?: readonly Need[];
  check(subject: Subject): Promise<void>;
}
