export { ToolboxError, type ToolboxErrorCode } from "./errors.ts";
export { type Access, openRoot, type Root, type RootOptions } from "./files/confine/root.ts";
export type { ConversationDigest } from "./recall/digest-conversation.ts";
export { RecallError, type RecallErrorCode } from "./recall/errors.ts";
export { type RecallOptions, recallTool } from "./recall/recall-tool.ts";
export type { Recalled, RecallMatches } from "./recall/search-conversations.ts";
export { summarizeFailure, summarizeResult } from "./results/summarize.ts";
export { type ToolboxTool, toolboxToolNames } from "./tool-names.ts";
export { type ToolboxOptions, toolbox } from "./toolbox.ts";
