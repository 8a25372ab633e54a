import type { Store } from "../store.ts";
import type { OtherProcess, OtherProcessOptions } from "./process/other-process.ts";

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

/** A case before it is bound to a store. `run` rejects, with a sentence that says what is wrong. */
export interface Case {
  name: string;
  needs?: readonly Need[];
  /** Milliseconds in which it is done on a slow machine; a minute by default. */
  timeout?: number;
  run(subject: Subject): Promise<void>;
}

/** Cases that all need the same. */
export function needing(need: Need, cases: readonly Omit<Case, "needs">[]): Case[] {
  return cases.map((one) => ({ ...one, needs: [need] }));
}
