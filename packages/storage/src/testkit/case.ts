import type { Store } from "../store.ts";
import type { OtherProcess, OtherProcessOptions } from "./process/other-process.ts";

/**
 * An ability of the store under test that a case needs beyond the contract.
 *
 * - `reopen`: the data can be opened again after the store was closed
 * - `elsewhere`: other processes can open the data while the store is open
 */
export type Need = "reopen" | "elsewhere";

/** The store under test, as a case uses it. */
interface Subject {
  store: Store;
  /** Closes the current store and opens its data again. */
  reopen(): Promise<Store>;
  /** Starts another process that opens the same data. It ends with the case. */
  startProcess(options?: OtherProcessOptions): Promise<OtherProcess>;
  /** Milliseconds to wait for any single step. */
  patience: number;
}

/** A case before it is bound to a store. `check` rejects with a sentence that names the mistake. */
export interface Case {
  name: string;
  needs?: readonly Need[];
  /** Milliseconds that the case may take on a slow machine. Defaults to 180,000. */
  timeout?: number;
  check(subject: Subject): Promise<void>;
}

/** Adds the same need to every case. */
export function needing(need: Need, cases: readonly Omit<Case, "needs">[]): Case[] {
  return cases.map((one) => ({ ...one, needs: [need] }));
}
