import type { AgentDefinition } from "../agent-definition.ts";

/** An agent as a file describes it. The program decides which provider and driver its names stand for. */
export interface WrittenAgent extends Omit<AgentDefinition, "provider" | "driver"> {
  /** The name of a model, as the file has it; that of the parent if absent. */
  readonly model?: string | undefined;
  /** The name of a driver; that of the parent if absent. */
  readonly driver?: string | undefined;
}

/**
 * - `file_missing`, `file_too_large`, `file_unreadable`: there is no file that can be read
 * - `front_matter_missing`, `front_matter_invalid`: the text does not begin with YAML between two lines `---`
 * - `field_unknown`, `field_missing`, `field_invalid`: about one field of the front matter
 * - `field_unsupported`: a field of another program asks for what an agent cannot have here, and without it would do more, or something else
 * - `tool_unknown`: a list names a tool that the program does not have
 * - `not_for_agents`: the file says that it is off, or that only a person may call it
 * - `text_empty`: there are no instructions
 * - `name_taken`: another agent of the name comes first
 */
export type AgentProblemCode =
  | "file_missing"
  | "file_too_large"
  | "file_unreadable"
  | "front_matter_missing"
  | "front_matter_invalid"
  | "field_unknown"
  | "field_missing"
  | "field_invalid"
  | "field_unsupported"
  | "tool_unknown"
  | "not_for_agents"
  | "text_empty"
  | "name_taken";

/** What is wrong with the file of an agent. */
export interface AgentProblem {
  readonly code: AgentProblemCode;
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}
