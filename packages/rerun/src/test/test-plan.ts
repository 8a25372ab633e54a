import type { JsonObject } from "@cogency/protocol";
import type { PlayInput } from "../play/play-parts.ts";
import type { RecordedToolDefinition } from "../play/played-calls.ts";
import type { PlayedStep } from "../play/played-step.ts";
import type { PlayedTurn } from "../play/played-turn.ts";
import type { PackedRequest } from "../play/recorded-request.ts";
import type { WrittenForm } from "../play/write-answer.ts";

/** What a test says, before it is written. */
export interface TestPlan {
  readonly title: string;
  readonly writes: WrittenForm | "scripted";
  readonly provider: string;
  readonly model: string;
  /** Absent if the log does not hold what the model was asked. */
  readonly requests?: readonly PackedRequest[];
  /** Absent where the test imports the agent. */
  readonly agent?: AgentPlan;
  readonly turns: readonly TurnPlan[];
}

export interface TurnPlan {
  readonly inputs: readonly PlayInput[];
  readonly steps: readonly PlayedStep[];
  readonly expected: PlayedTurn;
}

/** An agent that asks the model what the recorded one has asked. */
export interface AgentPlan {
  readonly instructions: string;
  readonly tools: readonly RecordedToolDefinition[];
  /** Settings of its requests. */
  readonly request?: JsonObject;
  readonly budget?: { readonly steps: number };
  /** Whether its requests leave out calls. */
  readonly condenses?: true;
  readonly reactOutput?: "schema" | "json";
}
