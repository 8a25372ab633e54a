import type { Tool } from "@cogency/tools";
import { ToolboxError } from "./errors.ts";
import { openRoot, type Root } from "./files/confine/root.ts";
import { editTool } from "./files/edit-tool.ts";
import { findTool } from "./files/find-tool.ts";
import { listTool } from "./files/list-tool.ts";
import { readTool } from "./files/read-tool.ts";
import { replaceTool } from "./files/replace-tool.ts";
import { writeTool } from "./files/write-tool.ts";
import { checkOptionsOf } from "./options.ts";
import { recallTool } from "./recall/recall-tool.ts";
import { shellOutputTool } from "./shell/background/shell-output-tool.ts";
import { shellStopTool } from "./shell/background/shell-stop-tool.ts";
import { shellTool } from "./shell/shell-tool.ts";
import { type ToolboxTool, toolboxToolNames } from "./tool-names.ts";
import type { ToolboxOptions } from "./toolbox-options.ts";
import { scrapeTool } from "./web/scrape-tool.ts";
import { searchTool } from "./web/search-tool.ts";

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
  read: (root, { files }) => readTool(root, { files }),
  write: (root, { undo, files }) => writeTool(root, { undo, files }),
  edit: (root, { undo, files }) => editTool(root, { undo, files }),
  list: listTool,
  find: findTool,
  replace: (root, { undo, files }) => replaceTool(root, { undo, files }),
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
