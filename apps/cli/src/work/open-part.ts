import type { Capability } from "@cogency/agent";

/** What one part of the app, such as skills or hooks, brings to an agent. */
export interface OpenPart {
  /** Empty if there is nothing of it here: nothing was loaded. */
  readonly capabilities: readonly Capability[];
  /** Ends what the part holds, such as connections and processes. Called once, when no run goes on. */
  close?(): Promise<void>;
}
