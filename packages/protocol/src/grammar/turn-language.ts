import type { Dialect } from "../message.ts";
import type { ToolSpec } from "../tool.ts";

/** What a whole answer of a model may be, in the text protocol with these tools. */
export interface TurnLanguage {
  /** Those that may be called. Without any, an answer holds no block. */
  readonly tools: readonly ToolSpec[];
  /** Defaults to `json`. */
  readonly dialect?: Dialect | undefined;
  /** `think` where the server's chat template has opened the think block. Defaults to `text`. */
  readonly startIn?: "text" | "think" | undefined;
  /** Whether tools that are not listed may be called too, with any object. Defaults to false. */
  readonly hasOthers?: boolean | undefined;
}
