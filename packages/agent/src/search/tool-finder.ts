import type { JsonSchema, LogEvent, RecordEvent, ToolResult, ToolSpec, UserEvent } from "@cogency/protocol";
import type { Tool, ToolDefinition } from "@cogency/tools";

/** Lets the model find tools by words where an agent has many. Made by `toolSearch` of `@cogency/agent/tool-search`. */
export interface ToolSearch {
  /**
   * Opens the search over the tools of an agent. Undefined if they are so few that the model is offered all of them.
   *
   * @param opening where the tools may change
   * @throws TypeError if a tool has a name that the search needs, or if a tool that is to be kept is not there and will not come
   */
  over(tools: readonly Tool[], opening?: SearchOpening): ToolFinder | undefined;
}

/** The search of a run whose tools may change, as the run began with it; without both in its first step. */
export interface SearchOpening {
  /** Whether tools are searched, however many there are now. */
  isOn?: boolean | undefined;
  /** What the model is offered, whatever has changed. A tool that is another one now is found by a search. */
  offered?: readonly ToolSpec[] | undefined;
}

/** What tools may not be named where there is a search. */
export const searchNames = ["find_tools", "call_tool"] as const;

/** The search over the tools of one agent. It keeps nothing of a conversation: the log says what the model has found. */
export interface ToolFinder {
  /** Defines `find_tools`, which searches `specs`: the tools that can run. */
  definition(specs: readonly ToolSpec[]): ToolDefinition<JsonSchema>;
  /** Those of the tools that the model is offered from the beginning. */
  offered(specs: readonly ToolSpec[]): readonly ToolSpec[];
  /**
   * Describes the tools that these results name and that the log has not described: the words for the model, then the record that
   * names the tools. Both belong in the append of the results. Empty if the model knows all of them.
   *
   * Costs only what the log has grown by since the last call with the same array.
   *
   * @param from the first event that requests show, counted from 0; what stands before it is described again
   */
  announce(
    log: readonly LogEvent[],
    results: readonly ToolResult[],
    timestamp: number,
    from?: number,
  ): readonly [] | readonly [UserEvent, RecordEvent];
}
