import type { RunResult } from "@cogency/agent";
import type { AgentEvent } from "@cogency/protocol";
import type { ToolEvent } from "@cogency/tools";

/** Shows a run while it goes on. */
export interface RunDisplay {
  event(event: AgentEvent): void;
  tool(event: ToolEvent): void;
  /** Called before a person is asked: writes nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Called once, also for a run that failed before it began. */
  end(ended: EndedRun): void;
}

interface EndedRun {
  result: RunResult;
  conversation: string;
  seconds: number;
  /** The exit code. */
  exit: number;
}
