import { defineExtension } from "@cogency/extensions";
import { defineTool, isToolError, StopRun, ToolError, withAttachments } from "@cogency/tools";

/** What a module finds where these packages are not installed, so that one file is enough for a tool. */
export const lentPackages: Readonly<Record<string, object>> = {
  "@cogency/agent": { defineTool, withAttachments },
  "@cogency/extensions": { defineExtension },
  "@cogency/tools": { defineTool, isToolError, StopRun, ToolError, withAttachments },
};
