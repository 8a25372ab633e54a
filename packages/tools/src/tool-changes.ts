import type { Tool } from "./tool.ts";

/** What the host of a batch says of tools that may change while their calls wait; see `ToolSource`. */
export interface ToolChanges {
  /** What has become of a tool of the registry. Asked right before its body begins, which does not run unless this is undefined. */
  since(tool: Tool): "changed" | "gone" | undefined;
  /** Whether the model was once offered a tool of this name, which the registry does not have. */
  had(name: string): boolean;
  /** Whether the model knew another definition of the tool when it wrote the calls, as after a restart. Such a call asks. */
  isRedefined(tool: Tool): boolean;
}
