import type { Tool } from "@cogency/tools";
import { ToolboxError } from "./errors.ts";
import { type Access, openRoot, type Root, type RootOptions } from "./files/confine/root.ts";
import { editTool } from "./files/edit-tool.ts";
import { findTool } from "./files/find-tool.ts";
import { listTool } from "./files/list-tool.ts";
import { readTool } from "./files/read-tool.ts";
import { replaceTool } from "./files/replace-tool.ts";
import { writeTool } from "./files/write-tool.ts";
import { checkOptionsOf } from "./options.ts";
import { type RecallOptions, recallTool } from "./recall/recall-tool.ts";
import { shellOutputTool } from "./shell/background/shell-output-tool.ts";
import { shellStopTool } from "./shell/background/shell-stop-tool.ts";
import type { ShellOptions } from "./shell/shell-options.ts";
import { shellTool } from "./shell/shell-tool.ts";
import { type ToolboxTool, toolboxToolNames } from "./tool-names.ts";
import type { ChangeKeeper } from "./undo/change-keeper.ts";
import { scrapeTool } from "./web/scrape-tool.ts";
import type { SearchBackend } from "./web/search/search-backend.ts";
import { searchTool } from "./web/search-tool.ts";
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
  /** Keeps what the tools replace, such as `openUndo` of `@cogency/toolbox/undo`. Nothing is kept when absent. */
  undo?: ChangeKeeper | undefined;
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

/**
 * The built-in tools, in the order of {@link ToolboxTool}.
 *
 * @throws ToolboxError `tool_unknown`, `store_missing` (for `recall`), `jobs_missing` (for `shell_output`, `shell_stop`), and what `openRoot` throws
 */
export async function toolbox(options: ToolboxOptions): Promise<Tool<ToolboxTool>[]> {
  checkOptionsOf("toolbox", options);
  const { root, access, guarded, config, instructions, untrusted, include } = options;
  for (const name of include ?? []) if (!toolboxToolNames.includes(name)) throw unknownTool(name);
  const place = { access, guarded, config, instructions, untrusted };
  const opened = typeof root === "string" ? await openRoot(root, place) : root;
  if (opened === root && Object.values(place).some((option) => option !== undefined)) throw alreadyOpen();
  const names = include ?? toolboxToolNames.filter((name) => isEquipped(name, opened, options));
  return toolboxToolNames.filter((name) => names.includes(name)).map((name) => makers[name](opened, options));
}

const makers: { readonly [Name in ToolboxTool]: (root: Root, options: ToolboxOptions) => Tool<Name> } = {
  read: readTool,
  write: (root, { undo }) => writeTool(root, { undo }),
  edit: (root, { undo }) => editTool(root, { undo }),
  list: listTool,
  find: findTool,
  replace: (root, { undo }) => replaceTool(root, { undo }),
  shell: (root, { shell, undo }) => shellTool(root, { ...shell, undo }),
  shell_output: (_, { shell }) => shellOutputTool({ jobs: shell?.jobs ?? noJobs("shell_output") }),
  shell_stop: (_, { shell }) => shellStopTool({ jobs: shell?.jobs ?? noJobs("shell_stop") }),
  scrape: (_, { web }) => scrapeTool(web),
  search: (_, { search }) => searchTool(search),
  recall: (_, { store, scope }) => recallTool({ store: store ?? noStore(), scope }),
};

function isEquipped(name: ToolboxTool, { access }: Root, { search, store, shell }: ToolboxOptions): boolean {
  if (name === "shell") return access !== "sandbox";
  if (name === "shell_output" || name === "shell_stop") return access !== "sandbox" && shell?.jobs !== undefined;
  if (name === "search") return search !== undefined;
  return name !== "recall" || store !== undefined;
}

function alreadyOpen(): TypeError {
  const options = "`access`, `guarded`, `config`, `instructions` and `untrusted`";
  return new TypeError(`${options} are given to \`openRoot\`, and not beside an opened \`root\`.`);
}

function noJobs(name: ToolboxTool): never {
  throw new ToolboxError("jobs_missing", name, `The tool "${name}" needs \`shell.jobs\`, as openJobs returns them.`);
}

function noStore(): never {
  throw new ToolboxError("store_missing", "recall", 'The tool "recall" needs a `store` to look for conversations in.');
}

function unknownTool(name: string): ToolboxError {
  return new ToolboxError(
    "tool_unknown",
    name,
    `There is no tool "${name}". Include some of ${toolboxToolNames.join(", ")}.`,
  );
}
