import type { Access, Root, RootOptions } from "./files/confine/root.ts";
import type { TextFiles } from "./files/editor/text-files.ts";
import type { RecallOptions } from "./recall/recall-tool.ts";
import type { ShellOptions } from "./shell/shell-options.ts";
import type { ToolboxTool } from "./tool-names.ts";
import type { ChangeKeeper } from "./undo/change-keeper.ts";
import type { SearchBackend } from "./web/search/search-backend.ts";
import type { WebOptions } from "./web/web-client.ts";

export interface ToolboxOptions {
  /**
   * The folder where relative paths begin, absolute or relative to the working directory; see `access`. Or a `Root` that
   * `openRoot` returned: then the options of `openRoot` must be left out here.
   */
  root: string | Root;
  /** How far the file tools reach: a folder of their own in `root` (`"sandbox"`, the default), `root`, or everything. */
  access?: Access | undefined;
  /**
   * The names of the tools to make. Defaults to all tools that have what they need: `search` needs a service, `recall` a
   * store, and `shell`, which no folder confines, an access other than `"sandbox"`; `shell_output` and `shell_stop` need jobs
   * (`shell.jobs`) beside that.
   */
  include?: readonly ToolboxTool[] | undefined;
  /**
   * Absolute paths that no tool reads, changes or shows, whatever the access: files and folders that the program lives on,
   * such as its store, its settings and its keys. See {@link RootOptions.guarded}.
   */
  guarded?: readonly string[] | undefined;
  /** Names of files and folders that configure the program. See {@link RootOptions.config}. */
  config?: readonly string[] | undefined;
  /** Names of files that instruct the model. See {@link RootOptions.instructions}. */
  instructions?: readonly string[] | undefined;
  /** Globs of files that no person vouches for, such as `vendor/**`; none by default. See {@link RootOptions.untrusted}. */
  untrusted?: readonly string[] | undefined;
  /** Keeps what the tools replace and commands may change, such as `openUndo` of `@cogency/toolbox/undo`. Nothing is kept when absent. */
  undo?: ChangeKeeper | undefined;
  /** An editor whose texts are read and written in place of those on the disk; see {@link TextFiles}. `list`, `find` and `shell` see the disk. */
  files?: TextFiles | undefined;
  /** Limits and environment of `shell`. */
  shell?: ShellOptions | undefined;
  /** Limits of `scrape`, and what it may reach beyond the public internet. */
  web?: WebOptions | undefined;
  /** The service that `search` asks; without one each call of `search` fails and says so. */
  search?: SearchBackend | undefined;
  /** The store whose conversations `recall` searches. */
  store?: RecallOptions["store"] | undefined;
  /** Only conversations of this scope are recalled, such as those of a project; all of the user's when absent. */
  scope?: RecallOptions["scope"];
}
