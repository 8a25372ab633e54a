import {
  above,
  atLeast,
  callback,
  checkOption,
  checkOptions,
  either,
  flag,
  group,
  having,
  listOf,
  name,
  type OptionKind,
  type OptionTable,
  object,
  oneOf,
  required,
  signal,
  text,
  whole,
} from "@cogency/protocol/options";
import type { RootOptions } from "./files/confine/root.ts";
import type { TextFileOptions } from "./files/editor/text-files.ts";
import type { ChangeOptions } from "./files/write/kept-change.ts";
import type { RecallOptions } from "./recall/recall-tool.ts";
import type { JobsOptions, JobToolOptions } from "./shell/background/jobs.ts";
import type { HostCommandOptions } from "./shell/host-command-options.ts";
import type { KeptOutputOptions } from "./shell/kept-output/kept-output.ts";
import type { HostsOption } from "./shell/shell-network.ts";
import type { ShellOptions } from "./shell/shell-options.ts";
import type { ShellRuleOptions } from "./shell/shell-rule.ts";
import type { ToolboxOptions } from "./toolbox-options.ts";
import type { TreeDiffOptions } from "./tree-diff/tree-diff-options.ts";
import type { UndoLimits, UndoOptions, UndoPoint } from "./undo/undo-options.ts";
import type { BraveSearchOptions } from "./web/search/brave-search.ts";
import type { SearxngSearchOptions } from "./web/search/searxng-search.ts";
import type { TavilySearchOptions } from "./web/search/tavily-search.ts";
import type { GetOptions, WebOptions } from "./web/web-client.ts";

/** Checks the options of each public function, by its name. */
const tables = {
  openRoot: rootTable(),
  toolbox: toolboxTable(),
  readTool: textFileTable(),
  writeTool: { ...changeTable(), ...textFileTable() } satisfies OptionTable<ChangeOptions & TextFileOptions>,
  editTool: { ...changeTable(), ...textFileTable() } satisfies OptionTable<ChangeOptions & TextFileOptions>,
  replaceTool: { ...changeTable(), ...textFileTable() } satisfies OptionTable<ChangeOptions & TextFileOptions>,
  shellTool: { ...shellTable(), ...changeTable() } satisfies OptionTable<ShellOptions & ChangeOptions>,
  openJobs: {
    ports: listOf(whole(1, 65_535), "an array of ports"),
    warn: callback,
    onEnd: callback,
  } satisfies OptionTable<JobsOptions>,
  shellOutputTool: jobToolTable(),
  shellStopTool: jobToolTable(),
  hostCommands: { sandbox: oneOf("required", "off") } satisfies OptionTable<HostCommandOptions>,
  shellIsolation: shellTable(),
  shellRule: {
    isolated: either(flag, oneOf("allow")),
    hosts: texts(),
    writes: callback,
  } satisfies OptionTable<ShellRuleOptions>,
  scrapeTool: webTable(),
  createWebClient: webTable(),
  treeDiff: { signal, most: whole(1, Number.MAX_SAFE_INTEGER) } satisfies OptionTable<TreeDiffOptions>,
  get: { signal, onRequest: callback } satisfies OptionTable<GetOptions>,
  recallTool: {
    store: required(having("a store", "load", "search")),
    scope: text,
  } satisfies OptionTable<RecallOptions>,
  braveSearch: { apiKey: required(text), url: text, ...serviceTable() } satisfies OptionTable<BraveSearchOptions>,
  tavilySearch: { apiKey: required(text), url: text, ...serviceTable() } satisfies OptionTable<TavilySearchOptions>,
  searxngSearch: { url: required(text), ...serviceTable() } satisfies OptionTable<SearxngSearchOptions>,
  openUndo: {
    folder: required(name),
    keyRing: having("a key ring, as createKeyRing makes it", "sign", "verify"),
    limits: group<UndoLimits>({
      conversation: atLeast(0, "bytes"),
      all: atLeast(0, "bytes"),
      file: atLeast(0, "bytes"),
      copies: atLeast(0, "copies"),
      commandFile: atLeast(0, "bytes"),
      commandTree: atLeast(0, "bytes"),
      commandConversation: atLeast(0, "bytes"),
      commandAll: atLeast(0, "bytes"),
    }),
  } satisfies OptionTable<UndoOptions>,
  openKeptOutput: {
    folder: name,
    maxBytes: above(0, "bytes"),
    redact: callback,
  } satisfies OptionTable<KeptOutputOptions>,
  undo: undoTable(),
  plan: undoTable(),
} as const;

/** @throws TypeError, RangeError with the code `invalid_option` */
export function checkOptionsOf(where: keyof typeof tables, given: unknown): void {
  checkOptions<Record<string, unknown>>(where, given, tables[where]);
}

/** @throws TypeError unless the argument of a tool's maker is an open root */
export function checkRoot(where: string, root: unknown): void {
  checkOption(where, "root", root, required(openedRoot()));
}

function openedRoot(): OptionKind {
  return {
    wanted: "a Root, as openRoot returns it",
    isOfType: (value) => typeof value === "object" && value !== null && "guard" in value && "obeyed" in value,
  };
}

function texts(): OptionKind {
  return listOf(text, "an array of strings");
}

function rootTable() {
  return {
    access: text,
    guarded: texts(),
    config: texts(),
    instructions: texts(),
    untrusted: texts(),
  } satisfies OptionTable<RootOptions>;
}

function changeTable() {
  return { undo: having("a keeper, as openUndo makes it", "keep", "watch") } satisfies OptionTable<ChangeOptions>;
}

function textFileTable() {
  return { files: textFiles() } satisfies OptionTable<TextFileOptions>;
}

function textFiles(): OptionKind {
  const isCallback = (value: unknown) => value === undefined || typeof value === "function";
  return {
    wanted: "texts of an editor: { read, write, timeout }",
    isOfType: (value) =>
      typeof value === "object" &&
      value !== null &&
      isCallback("read" in value ? value.read : undefined) &&
      isCallback("write" in value ? value.write : undefined) &&
      (!("timeout" in value) ||
        value.timeout === undefined ||
        (typeof value.timeout === "number" && value.timeout > 0)),
  };
}

function shellTable() {
  const hosts = { hosts: required(texts()), allow: texts() } satisfies OptionTable<HostsOption>;
  return {
    sandbox: oneOf("auto", "required", "off"),
    network: either(oneOf("none", "full"), group<HostsOption>(hosts)),
    readable: texts(),
    warn: callback,
    timeout: above(0, "milliseconds"),
    maxTimeout: above(0, "milliseconds"),
    maxOutputBytes: atLeast(0, "bytes"),
    outputs: having("a keeper, as openKeptOutput makes it", "keep", "read"),
    env: object,
    killAfter: atLeast(0, "milliseconds"),
    lookup: callback,
    jobs: jobs(),
    terminals: having("terminals, such as those of an editor", "start"),
  } satisfies OptionTable<ShellOptions>;
}

function jobToolTable() {
  return { jobs: required(jobs()) } satisfies OptionTable<JobToolOptions>;
}

function jobs(): OptionKind {
  return having("jobs, as openJobs makes them", "start", "endAll");
}

function webTable() {
  return {
    allow: texts(),
    timeout: numberOf("milliseconds"),
    maxBytes: numberOf("bytes"),
    lookup: callback,
  } satisfies OptionTable<WebOptions>;
}

function serviceTable() {
  return { timeout: numberOf("milliseconds"), allow: texts(), lookup: callback };
}

/** Its range is checked where it is used, with an error of its own. */
function numberOf(unit: string): OptionKind {
  return { wanted: unit, isOfType: (value) => typeof value === "number" };
}

function toolboxTable() {
  return {
    root: required(either(name, openedRoot())),
    ...rootTable(),
    include: texts(),
    ...changeTable(),
    ...textFileTable(),
    shell: group<ShellOptions>(shellTable()),
    web: group<WebOptions>(webTable()),
    search: having("a search service, such as braveSearch makes it", "search"),
    store: having("a store", "load", "search"),
    scope: text,
  } satisfies OptionTable<ToolboxOptions>;
}

function undoTable() {
  return {
    from: required(name),
    guarded: texts(),
    root: name,
    access: oneOf("sandbox", "project", "system"),
  } satisfies OptionTable<UndoPoint>;
}
