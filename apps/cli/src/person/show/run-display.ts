import type { RunResult } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";

/** Shows a run while it goes on. */
export interface RunDisplay {
  event(this: void, event: RunEvent): void;
  /** Called before a person is asked: writes nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Called once, also for a run that failed before it began. */
  end(ended: EndedRun): void;
}

/** How a run ended. `object` is there if the answer had to fit a schema, and does. */
export type ShownResult = RunResult & { object?: unknown };

export interface EndedRun {
  result: ShownResult;
  conversation: string;
  seconds: number;
  /** The exit code. */
  exit: number;
  /** The command that goes on with the conversation; undefined if nothing is kept of it. */
  again: string | undefined;
}
