import type { Tool } from "./tool.ts";

/**
 * Tools that may change between two steps of a run, such as those of a server. An agent reads each of its sources once, at the beginning
 * of a step; what that step offers to the model is what it may call. What is wrong with a source never ends a run: the agent warns once.
 */
export interface ToolSource {
  /** An agent has each source once. */
  readonly name: string;
  /**
   * The tools as they are now, without waiting: the same objects as long as nothing has changed. A call whose tool has another definition
   * when its body is about to run fails with `tool_changed`. A name that another tool of the agent has is left out, with a warning.
   */
  tools(): readonly Tool[];
  /**
   * Resolves when the tools are there, or will not come. Called before the first step of each run, which waits for all of its sources
   * together, at most 2 s, once for each time that it is late. A late source without `notes` is warned of. After a rejection the run goes on with the tools that there are.
   */
  ready?(signal: AbortSignal): Promise<void>;
  /**
   * What the model should know about tools that are not there, a sentence each: `The server "docs" is still connecting.` It is told when a
   * sentence is new, so one that has a time in it is told again and again.
   */
  notes?(): readonly string[];
}
