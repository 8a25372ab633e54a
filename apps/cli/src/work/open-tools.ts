import type { Store } from "@cogency/storage";
import { openRoot, type Root, ToolboxError, type ToolboxOptions, toolbox } from "@cogency/toolbox";
import type { TextFiles } from "@cogency/toolbox/files";
import { type Jobs, ShellError, type Terminals } from "@cogency/toolbox/shell";
import type { ChangeKeeper } from "@cogency/toolbox/undo";
import { readResultTool, type Tool } from "@cogency/tools";
import type { KeptParts } from "@cogency/tools/host";
import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOf } from "../base/scope-of.ts";
import { isToolboxTool, type ToolName } from "../base/tool-names.ts";
import { readApiKeys } from "../place/api-keys.ts";
import type { Options } from "../place/config/option-table.ts";
import { modeOf } from "../place/rules/mode.ts";
import { tellOnce } from "../place/told-once.ts";
import type { ExtensionOptions } from "./extensions/open-extensions.ts";
import { searchBackend } from "./search-backend.ts";

/** What the tools of a run reach, and which there are. */
export interface ToolOptions
  extends Required<Options<"root" | "access">>,
    ExtensionOptions,
    Options<"untrusted" | "recall" | "sandbox" | "network" | "maxCommandSeconds"> {
  /** False where the person has named all tools that they want, and those of servers are none of these. */
  servers?: false;
  /** Defaults to all tools that have what they need. */
  tools?: readonly ToolName[];
}

/**
 * Opens the part of the machine that the tools of a run may reach.
 *
 * @param guarded absolute paths that are out of reach of every tool
 * @throws UsageError for a root that cannot be used
 */
export async function openRootFor(
  { root, access, untrusted = [] }: ToolOptions,
  guarded: readonly string[],
): Promise<Root> {
  try {
    const opened = await openRoot(root, { access, guarded, untrusted });
    if (access !== "sandbox" || untrusted.length === 0) return opened;
    // The person names files of the project, and instructions and attached files come from there.
    const project = await openRoot(root, { access: "project", guarded, untrusted });
    return { ...opened, isMarked: (real) => opened.isMarked(real) || project.isMarked(real) };
  } catch (error) {
    if (!(error instanceof ToolboxError)) throw error;
    const option = error.code === "pattern_invalid" ? "--untrusted" : "--root";
    throw new UsageError(`${option}: ${error.message}`, { cause: error });
  }
}

/** What an editor lends to the tools. A part that it does not have is absent. */
export interface EditorPorts {
  /** Its texts of files, with what is not saved. */
  files?: TextFiles | undefined;
  /** Used where commands have no sandbox. */
  terminals?: Terminals | undefined;
}

/** What the tools work with beside the root and the log. */
export interface ToolParts {
  undo?: ChangeKeeper | undefined;
  /** The whole output of commands. */
  outputs?: KeptParts | undefined;
  /** The commands in the background. */
  jobs?: Jobs | undefined;
  editor?: EditorPorts | undefined;
}

/** Seconds that a call may let a command run at most. */
export const usualCommandSeconds = 1800;

/** That there is no sandbox is a remark about this machine. */
const warn = (message: string) => tellOnce(inPlainWords(message));

/**
 * Makes the tools of a run.
 *
 * @throws UsageError for a search service or a network that cannot be used, and if a required sandbox is not available
 */
export async function openTools(
  root: Root,
  options: ToolOptions,
  store: Store,
  { undo, outputs, jobs, editor }: ToolParts = {},
): Promise<Tool[]> {
  const { root: folder, tools: names, recall, sandbox = "auto", network = [] } = options;
  const { maxCommandSeconds = usualCommandSeconds } = options;
  const isReadOnly = modeOf(options) === "read-only";
  const include = names?.filter((name) => isToolboxTool(name));
  const wired: ToolboxOptions = {
    root,
    store,
    undo,
    files: editor?.files,
    search: searchBackend({ ...(await readApiKeys()), ...process.env }),
    include,
    scope: recall === "everywhere" ? undefined : scopeOf(folder),
    shell: {
      sandbox,
      network: network.includes("full") ? "full" : { hosts: network },
      // Where nothing changes, no command is run.
      warn: isReadOnly ? () => {} : warn,
      maxTimeout: 1000 * maxCommandSeconds,
      outputs,
      terminals: editor?.terminals,
      // Without the tool that looks at it, nothing is started in the background.
      jobs: include === undefined || include.includes("shell_output") ? jobs : undefined,
    },
  };
  try {
    const tools = await toolbox(wired);
    const all = names?.includes("read_result") === false ? tools : [...tools, readResultTool({ parts: outputs })];
    return isReadOnly ? all.filter(({ annotations }) => annotations.readOnlyHint === true) : all;
  } catch (error) {
    if (error instanceof ShellError) throw new UsageError(`--sandbox, --network: ${error.message}`, { cause: error });
    throw error;
  }
}
