import type { Store } from "../store.ts";
import type { OtherProcess, OtherProcessOptions } from "./other-process.ts";

/**
 * What a case asks of a store beyond the contract.
 *
 * - `reopen`: its data can be opened again after it was closed
 * - `elsewhere`: other processes can open its data while it is open
 */
export type Need = "reopen" | "elsewhere";

/** What a case works on. */
interface Subject {
  store: Store;
  /** Closes the store the case works on and gives the one to go on with. */
  reopen(): Promise<Store>;
  /** Another process with the same data open; it is ended with the case. */
  startProcess(options?: OtherProcessOptions): Promise<OtherProcess>;
  /** Milliseconds to wait for any one thing. */
  patience: number;
}

/** A case before it is bound to a store. `check` rejects, with a sentence that says what is wrong. */
export interface Check {
  name: string;
  needs?: readonly Need[];
  /** Milliseconds in which it is done on a slow machine; a minute by default. */
  timeout?: number;
  check(subject: Subject): Promise<void>;
}

/** Checks that all need the same. */
export function needing(need: Need, checks: readonly Omit<Check, "needs">[]): Check[] {
  return checks.map((check) => ({ ...check, needs: [need] }));
}
