import type { ToolSpec } from "@cogency/protocol";
import type { Price, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { Executor, KeyRing, Registry } from "@cogency/tools";
import type { Driver, RequestSettings } from "./drivers/driver.ts";
import type { LeaseSettings } from "./log/run-lease.ts";

/** What an agent was made of, resolved: every run of it reads this and nothing else. */
export interface Settings {
  readonly provider: Provider;
  /** Opens the session that a run asks through; absent in mode `replay`. */
  readonly connect: Provider["connect"] | undefined;
  /** A run whose session cannot be opened goes on without it. */
  readonly mayReplay: boolean;
  readonly registry: Registry;
  /** What the model is told of: the tools that can run. */
  readonly offered: readonly ToolSpec[];
  readonly executor: Executor;
  /** The executor ends a batch, and the run, at the first call that fails. */
  readonly endsAtFailure: boolean;
  readonly store: Store;
  readonly driver: Driver;
  readonly system: string;
  readonly request: RequestSettings;
  readonly price: Price | undefined;
  readonly maxSteps: number;
  readonly maxFailures: number;
  readonly maxRepeats: number;
  /** Of one batch. */
  readonly maxCalls: number;
  readonly keyRing: KeyRing;
  /** What the conversations that it begins belong to. */
  readonly scope: string | undefined;
  readonly lease: LeaseSettings;
  readonly clock: () => number;
}
