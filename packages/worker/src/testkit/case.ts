import type { OtherWorker, OtherWorkerOptions } from "./process/other-worker.ts";
import type { OpenedDispatcher } from "./tested-dispatcher.ts";

/**
 * An ability of the dispatcher under test that a case needs beyond the contract.
 *
 * - `elsewhere`: other processes can open it
 * - `restart`: its engine and its store can be restarted
 */
export type Need = "elsewhere" | "restart";

/** The dispatcher under test, as a case uses it. */
export interface Subject {
  /** Opens it once more. It is closed with the case. */
  open(): Promise<OpenedDispatcher>;
  /** Starts a worker in another process. It is killed with the case. */
  startElsewhere(options: OtherWorkerOptions): Promise<OtherWorker>;
  restart(): Promise<void>;
  /** Aborts when the case ends, also if it fails, before anything is closed. */
  readonly over: AbortSignal;
  /** Calls `clean` after that. What was given last is called first. */
  afterwards(clean: () => Promise<unknown>): void;
  /** Milliseconds to wait for any single step. */
  patience: number;
}

/** A case before it is bound to a dispatcher. `check` rejects with a sentence that names the mistake. */
export interface Case {
  name: string;
  needs?: readonly Need[];
  /** Milliseconds that the case may take on a slow machine. Defaults to 120,000. */
  timeout?: number;
  check(subject: Subject): Promise<void>;
}
