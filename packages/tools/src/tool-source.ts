import type { Tool } from "./tool.ts";

/**
 * Tools that may change between two steps of a run, such as those of a server. An agent reads each of its sources once, at the beginning
 * of a step; what that step offers to the model is what it may call.
 */
export interface ToolSource {
  /** An agent has each source once. */
  readonly name: string;
  /**
   * The tools as they are now, without waiting: the same array as long as nothing has changed. A name that another tool of the agent has
   * is left out, with a warning.
   */
  tools(): readonly Tool[];
  /**
   * Resolves when the tools are there, or will not come. Called before the first step of each run, which waits for all of its sources
   * together, at most 2 s. A rejection counts as no tools.
   */
  ready?(signal: AbortSignal): Promise<void>;
  /** What the model should know about tools that are not there, a sentence each: `The server "docs" is still connecting.` */
  notes?(): readonly string[];
}
