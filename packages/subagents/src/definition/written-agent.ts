import type { AgentDefinition } from "../agent-definition.ts";

/** An agent as a file describes it. The program decides which provider and driver its names stand for. */
export interface WrittenAgent extends Omit<AgentDefinition, "provider" | "driver"> {
  /** The name of a model, as the file has it; that of the parent if absent. */
  readonly model?: string | undefined;
  /** The name of a driver; that of the parent if absent. */
  readonly driver?: string | undefined;
}
