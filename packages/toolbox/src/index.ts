export { EditError, type EditFailure, ToolboxError, type ToolboxErrorCode } from "./errors.ts";
export { attachmentOf } from "./files/attached/attachment-of.ts";
export { gitFolders } from "./files/confine/git-folders.ts";
export { type Access, openRoot, type Root, type RootOptions } from "./files/confine/root.ts";
export { twinName } from "./files/confine/twin-name.ts";
export { type Edited, editTool } from "./files/edit-tool.ts";
export { type Found, findTool } from "./files/find-tool.ts";
export { compileGlob } from "./files/glob.ts";
export { type Listing, listTool } from "./files/list-tool.ts";
export { type AttachedFile, type ReadPage, readTool } from "./files/read-tool.ts";
export { type ReplacedFiles, replaceTool } from "./files/replace-tool.ts";
export { projectFiles } from "./files/search/project-files.ts";
export type { Match, SkipReason } from "./files/search/search.ts";
export type { Skipped } from "./files/search/skipped.ts";
export type { ChangeOptions } from "./files/write/kept-change.ts";
export { type Written, writeTool } from "./files/write-tool.ts";
export type { ConversationDigest } from "./recall/digest-conversation.ts";
export { RecallError, type RecallErrorCode } from "./recall/errors.ts";
export { type RecallOptions, recallTool } from "./recall/recall-tool.ts";
export type { Recalled, RecallMatches } from "./recall/search-conversations.ts";
export { summarizeFailure, summarizeResult } from "./results/summarize.ts";
export { ShellError, type ShellErrorCode } from "./shell/errors.ts";
export { commandsEnded } from "./shell/run/commands-ended.ts";
export type { LiveOutput } from "./shell/run/live-output.ts";
export {
  readScript,
  type Script,
  type ScriptCommand,
  type ScriptFile,
  type ScriptReason,
} from "./shell/script/read-script.ts";
export type { ScriptWord } from "./shell/script/read-word.ts";
export { type ShellIsolation, shellIsolation } from "./shell/shell-isolation.ts";
export type { HostsOption, ShellNetwork } from "./shell/shell-network.ts";
export type { ShellOptions } from "./shell/shell-options.ts";
export { type ShellRuleOptions, shellRule } from "./shell/shell-rule.ts";
export { type ShellResult, shellTool } from "./shell/shell-tool.ts";
export { type ToolboxTool, toolboxToolNames } from "./tool-names.ts";
export { type ToolboxOptions, toolbox } from "./toolbox.ts";
export type { ChangeKeeper, ChangingCall, Keeping, NewContent, Watch } from "./undo/change-keeper.ts";
export type { TextPage } from "./web/page/text-page.ts";
export type { PageType } from "./web/request/content-type.ts";
export type { Lookup } from "./web/request/exchange.ts";
export { type Scraped, scrapeTool } from "./web/scrape-tool.ts";
export { type BraveSearchOptions, braveSearch } from "./web/search/brave-search.ts";
export type { SearchBackend, SearchOptions, SearchResult } from "./web/search/search-backend.ts";
export type { SearchServiceOptions } from "./web/search/search-service.ts";
export { type SearxngSearchOptions, searxngSearch } from "./web/search/searxng-search.ts";
export { type TavilySearchOptions, tavilySearch } from "./web/search/tavily-search.ts";
export { searchTool } from "./web/search-tool.ts";
export { createWebClient, type GetOptions, type WebClient, type WebOptions, type WebPage } from "./web/web-client.ts";
export { WebError, type WebErrorCode, type WebErrorDetails } from "./web/web-error.ts";
