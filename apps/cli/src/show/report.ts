import type { RunResult } from "@cogency/agent";
import type { AgentEvent } from "@cogency/protocol";
import type { ToolEvent } from "@cogency/tools";

/** How a run is shown as it goes. */
export interface Report {
  event(event: AgentEvent): void;
  tool(event: ToolEvent): void;
  /** A person reads a question from now on: nothing is written until `resume`. */
  pause(): void;
  resume(): void;
  /** Called once, also for a run that failed before it began. */
  over(outcome: Outcome): void;
}

interface Outcome {
  result: RunResult;
  conversation: string;
  seconds: number;
  /** The exit code. */
  exit: number;
}
