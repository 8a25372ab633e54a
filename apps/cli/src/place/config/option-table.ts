import type { Prices } from "@cogency/provider";
import { presets } from "../provider/presets.ts";
import type { ExtensionEntry } from "./tool-entries.ts";

/** An option of the commands that run an agent, and what a configuration may say under its name in camelCase. */
export interface OptionRow extends Traits {
  /** The option, with its value. */
  readonly flags: string;
  readonly type: keyof ValueTypes;
  /** The only texts that it takes. */
  readonly choices?: readonly string[];
  /** For the help, and for the schema of the file. */
  readonly description: string;
}

interface Traits {
  /** The commands that take it. Defaults to those that run an agent. */
  readonly of?: readonly OptionCommand[];
  /** What an option is that is neither typed nor configured; undefined if that depends. */
  readonly usual?: string;
  /** What an option is that is typed without its value. */
  readonly preset?: string;
  /** The options that cannot be given together with it. */
  readonly excludes?: string[];
  /** For the help, if that says something else than the schema. */
  readonly help?: string;
  /**
   * Changes what runs, what that may reach, who is sent what, or what protects from that. A trusted folder that changes it is asked
   * about again.
   */
  readonly isRisky?: true;
  /** Belongs to the server: a place that names another server replaces all of these. */
  readonly isOfServer?: true;
  /** A profile may hold it. */
  readonly isOfProfile?: true;
  /** Means something only where the agent runs: other commands have options of the same name for other things. */
  readonly isOfRuns?: true;
}

export type OptionCommand = "run" | "chat" | "open" | "acp" | "tools" | "doctor";

interface ValueTypes {
  text: string;
  switch: true;
  count: number;
  amount: number;
  list: readonly string[];
  ports: readonly number[];
  tools: readonly (string | ExtensionEntry)[];
  prices: string | Prices;
}

/** A row with the type of its value, which exists only for the compiler. */
interface Row<Value> extends OptionRow {
  readonly value?: Value;
}

type Takes = keyof ValueTypes | readonly string[];
type ValueOf<T extends Takes> = T extends keyof ValueTypes ? ValueTypes[T] : T extends readonly (infer C)[] ? C : never;

/** @param takes the type, or the only texts */
function row<const T extends Takes>(
  flags: string,
  takes: T,
  description: string,
  traits: Traits = {},
): Row<ValueOf<T>> {
  const kind =
    typeof takes === "string"
      ? { type: takes as keyof ValueTypes }
      : { type: "text" as const, choices: takes as readonly string[] };
  return { flags, ...kind, description, ...traits };
}

/** The row of what says something about one command line, and not about all that follow. */
function typed<const T extends Takes>(
  flags: string,
  takes: T,
  description: string,
  traits?: Traits,
): Row<ValueOf<T>> & { readonly isTyped: true } {
  return { ...row(flags, takes, description, traits), isTyped: true };
}

const inRun = { of: ["run"] } as const;
const inTerminal = { of: ["run", "chat"] } as const;
const inChat = { of: ["chat"] } as const;
const everywhere = { of: ["run", "chat", "open", "acp", "tools", "doctor"] } as const;

const risky = { isRisky: true } as const;
const ofTools = { ...risky, of: ["run", "chat", "open", "acp", "tools"] } as const;
const ofExtensions = { ...risky, of: ["run", "chat", "open", "acp", "tools", "doctor"] } as const;
const ofServer = { of: ["run", "chat", "open", "acp", "doctor"], isOfServer: true, isOfProfile: true } as const;
const server = { ...risky, ...ofServer } as const;
const limit = { ...risky, isOfProfile: true } as const;

/** In the order of the help. A configuration may hold each but those that are `typed`. */
const table = {
  attach: typed("--attach <path>", "list", "a file for the model; as @picture.png or @main.ts in the prompt", inRun),
  provider: row(
    "--provider <name>",
    "text",
    `offline, openai, anthropic, google, llama for a model in a file, ${presets.join(", ")}, or a provider package by its name or path`,
    server,
  ),
  model: row(
    "--model <name>",
    "text",
    "the provider's own default if absent; the path of a GGUF file with --provider llama",
    ofServer,
  ),
  baseUrl: row("--base-url <url>", "text", "where the provider's server is, such as http://localhost:11434/v1", server),
  apiKeyEnv: row(
    "--api-key-env <name>",
    "text",
    "the environment variable whose key belongs to that server; keys of other servers are not sent to it",
    server,
  ),
  api: row(
    "--api <wire>",
    ["chat", "responses", "realtime"],
    "OpenAI API to use; responses with its own servers, chat with others if absent",
    ofServer,
  ),
  driver: row(
    "--driver <name>",
    ["protocol", "native", "react", "auto"],
    "protocol: calls are text; native: the provider's own calls; react: one JSON decision a step; auto: native where there is one",
    { usual: "protocol", isOfProfile: true },
  ),
  dialect: row(
    "--dialect <name>",
    ["json", "xml"],
    "how the model writes calls as text; a conversation may change it at any turn",
    { usual: "json", isOfProfile: true },
  ),
  startIn: row(
    "--start-in <where>",
    ["text", "think"],
    "think: the model's chat template opens the think block, so answers begin inside of it",
    { usual: "text", isOfProfile: true, isOfRuns: true },
  ),
  repair: row("--repair", "switch", "run a malformed block, too, if it can be read in one way only, without loss", {
    isOfProfile: true,
    isOfRuns: true,
  }),
  grammar: row("--no-grammar", "switch", "whether a server that can is asked to bind answers to the text protocol", {
    isOfProfile: true,
    isOfRuns: true,
    help: "do not bind answers to the grammar of the text protocol, where the server could: llama.cpp, vllm and sglang",
  }),
  think: row(
    "--think <level>",
    ["off", "low", "medium", "high", "max"],
    "how much the model thinks before it answers; the model's own default if absent. A line says if the model has no such level",
    { isOfProfile: true },
  ),
  prices: row("--prices <file>", "prices", "what models cost, as JSON; the run then shows its cost", limit),
  conversation: typed(
    "--conversation <id>",
    "text",
    "go on with a conversation, or begin it under this name",
    inTerminal,
  ),
  resume: typed(
    "--resume [conversation]",
    "text",
    "go on with a conversation, by its id, the beginning of its id, or words of its title; without one, pick it at the terminal; without a prompt, where it was left",
    inRun,
  ),
  continue: typed("-c, --continue", "switch", "go on with the latest conversation of this folder", {
    ...inTerminal,
    excludes: ["conversation", "resume", "ephemeral"],
  }),
  ephemeral: typed("--ephemeral", "switch", "keep nothing: the conversation is in memory only", {
    ...inTerminal,
    excludes: ["conversation", "resume", "store", "wait"],
  }),
  maxSteps: row(
    "--max-steps <count>",
    "count",
    "end the run after this many steps; 1000 if absent, none in a chat",
    limit,
  ),
  maxCost: row("--max-cost <amount>", "amount", "end the run before it costs more, in the currency of --prices", limit),
  maxSeconds: row(
    "--max-seconds <seconds>",
    "amount",
    "end the run after this time; 10800 if absent, none in a chat",
    limit,
  ),
  maxTokens: row(
    "--max-tokens <count>",
    "count",
    "end the run before it needs more; what is sent again counts once",
    limit,
  ),
  maxCalls: row("--max-calls <count>", "count", "end the run before it makes more calls", limit),
  maxFailedCalls: row(
    "--max-failed-calls <count>",
    "count",
    "end the run after this many failed calls in a row; 8 if absent",
    limit,
  ),
  maxRepeats: row(
    "--max-repeats <count>",
    "count",
    "end the run after as many times the same calls and results in a row; 3 if absent",
    limit,
  ),
  maxFailures: row(
    "--max-failures <count>",
    "count",
    "end the run after this many unusable answers in a row; 3 if absent",
    limit,
  ),
  contextWindow: row(
    "--context-window <tokens>",
    "count",
    "how many tokens the model takes; if absent, what the provider says, or its first refusal",
    { isOfProfile: true },
  ),
  compact: row("--no-compact", "switch", "whether the earlier part of a long conversation is summed up", {
    isOfProfile: true,
    help: "do not sum up the earlier part of a conversation at 80 % of the context window",
  }),
  root: typed("--root <folder>", "text", "the folder that the tools work in", { ...everywhere, usual: "." }),
  access: row(
    "--access <level>",
    ["sandbox", "project", "system"],
    "sandbox: .cogency/sandbox in the root; project: the root; system: every file",
    { ...ofTools, usual: "project" },
  ),
  tools: row(
    "--tools <names>",
    "tools",
    "the built-in tools that the model gets, by name; without a name, all that can work here. And tools and extensions of your own: a path, a package, or {use, options}",
    {
      ...ofExtensions,
      help: "the built-in tools that the model gets, separated by commas; all that can work here if absent",
    },
  ),
  tool: typed(
    "--tool <path>",
    "list",
    "add a tool or an extension of your own: the path of a module or a package, or the name of a package",
    { of: ofExtensions.of },
  ),
  sandbox: row(
    "--sandbox <mode>",
    ["auto", "required", "off"],
    "auto: isolate programs that shell runs, where that works; required: run nothing where it does not",
    { ...ofTools, usual: "auto" },
  ),
  network: row(
    "--network <host>",
    "list",
    'a host that isolated programs may reach, such as api.example.com:443, or "full"',
    ofTools,
  ),
  forward: row(
    "--forward <port>",
    "ports",
    "a port of isolated programs in the background, which this machine then reaches at 127.0.0.1",
    risky,
  ),
  maxCommandSeconds: row(
    "--max-command-seconds <seconds>",
    "amount",
    "end a command after this time, even if its call asks for more; 1800 if absent. A call that names no time gets 120",
    ofTools,
  ),
  untrusted: row("--untrusted <glob>", "list", "files with text from untrusted sources, such as vendor/**", ofTools),
  recall: row(
    "--recall <reach>",
    ["project", "everywhere"],
    "project: recall finds conversations of the same root; everywhere: all of them",
    { ...ofTools, usual: "project" },
  ),
  store: row(
    "--store <place>",
    "text",
    'the SQLite file of the conversations, or the postgres:// address of a database; ":memory:" keeps nothing',
    { ...everywhere, ...risky },
  ),
  redact: row("--redact", "switch", "keep what looks like a secret out of the store", risky),
  memory: row(
    "--memory <use>",
    ["on", "off"],
    "on: learn from your messages what you say of yourself and of how you want things done, and tell the model in later runs",
    { ...risky, isOfRuns: true, usual: "off" },
  ),
  memoryModel: row(
    "--memory-model <name>",
    "text",
    "the provider's model that chooses what is remembered; that of the run if absent",
    { ...risky, isOfRuns: true, isOfProfile: true },
  ),
  stream: row(
    "--stream <view>",
    ["token", "event", "none"],
    "token: as it arrives, the default; event: whole units, the default with --json; none: no streaming",
    { ...inRun, isOfRuns: true },
  ),
  schema: typed("--schema <file>", "text", "a JSON Schema; the answer is JSON that fits it", {
    ...inRun,
    excludes: ["stream", "wait"],
  }),
  json: typed("--json", "switch", "events as JSON lines, then one result record", inRun),
  output: typed(
    "--output <format>",
    ["text", "json", "stream"],
    "text: the answer, the default; json: one object once the run has ended; stream: as --json",
    { ...inRun, excludes: ["json"] },
  ),
  answerFile: typed(
    "-o, --answer-file <path>",
    "text",
    "also write the answer to this file, if the run completes",
    inRun,
  ),
  quiet: row("--quiet", "switch", "show only the answer, questions and problems", {
    ...inRun,
    isOfRuns: true,
    excludes: ["json"],
  }),
  mode: row(
    "--mode <name>",
    ["ask", "edits", "sandboxed", "plan", "read-only"],
    "edits: files of the root change without a question; sandboxed: commands that the sandbox holds run, too; plan: nothing changes until you accept a plan; read-only: nothing changes",
    { ...risky, of: ["run", "chat", "open", "acp", "doctor"], usual: "ask", excludes: ["yes"] },
  ),
  yes: row("--yes", "switch", "allow every tool without asking, unless there is a reason against a call", {
    ...risky,
    isOfRuns: true,
  }),
  deny: row("--deny", "switch", "deny every call that would be asked about", {
    ...risky,
    isOfRuns: true,
    excludes: ["yes"],
  }),
  wait: row(
    "--wait",
    "switch",
    "without a terminal, end with exit code 6 where a call needs an answer, instead of denying it",
    { ...inRun, ...risky, isOfRuns: true, excludes: ["yes", "deny"] },
  ),
  allow: row(
    "--allow <rule>",
    "list",
    'what runs without asking: tools such as read,write, or calls such as "shell:git status" and scrape:docs.example.org',
    risky,
  ),
  content: row(
    "--content <policy>",
    ["ask", "allow"],
    "ask: calls with effects ask once untrusted text was read, and calls that reach outside once private text was; allow: they do not",
    { ...risky, usual: "ask" },
  ),
  profile: row(
    "--profile <name>",
    "text",
    "a profile of the configuration: provider, model, key, prices and others",
    risky,
  ),
  config: typed("--config <file>", "text", "a configuration file to use instead of the project's own"),
  system: row(
    "--system <text>",
    "text",
    "instructions for the model in place of the usual ones; @ and a path for a file that holds them",
    limit,
  ),
  contextFiles: row(
    "--no-context-files",
    "switch",
    "whether AGENTS.md files, skills, agents and commands of the project are read",
    {
      ...risky,
      help: "ignore the AGENTS.md files, skills, agents and commands of the project",
    },
  ),
  readOnly: row(
    "--read-only",
    "switch",
    "look, change nothing: the model gets no tool that writes or runs something",
    risky,
  ),
  notify: row(
    "--notify [how]",
    ["osc9", "bell"],
    "tell you that a question waits, or that a turn of more than 10 s has ended: osc9, a message of the terminal, the default; bell",
    { ...inChat, preset: "osc9" },
  ),
  plain: row("--plain", "switch", "lines that are only added, for screen readers; also where TERM is dumb", inChat),
  terminalClipboard: row(
    "--terminal-clipboard",
    "switch",
    "let Ctrl-V and /paste ask the terminal for its clipboard (OSC 52) where this machine has none, as over SSH",
    { ...inChat, ...risky },
  ),
  askAfterSteps: row(
    "--ask-after-steps <count>",
    "count",
    "ask whether to go on after this many steps without your word; 100 if absent",
    { ...inChat, ...risky },
  ),
  askAfterMinutes: row(
    "--ask-after-minutes <minutes>",
    "amount",
    "ask after this time without your word; 30 if absent",
    { ...inChat, ...risky },
  ),
};

type Table = typeof table;
export type OptionName = keyof Table;

/** The keys of a configuration but `profiles` and `$schema`. */
export type SettingName = { [N in OptionName]: Table[N] extends { isTyped: true } ? never : N }[OptionName];

/** The values of some options, as commands get them. */
export type Options<N extends OptionName> = { [Name in N]?: NonNullable<Table[Name]["value"]> };

/** The options of a command, in the order of its help. */
export function optionsOf(command: OptionCommand): OptionName[] {
  return (Object.keys(table) as OptionName[]).filter((name) => (optionRow(name).of ?? agentCommands).includes(command));
}

const agentCommands: readonly OptionCommand[] = ["run", "chat", "open", "acp"];

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(table, name);
}

export function optionRow(name: OptionName): OptionRow {
  return table[name];
}

export const settingNames = Object.keys(table).filter(isSettingName);

export function isSettingName(name: string): name is SettingName {
  return isOptionName(name) && !("isTyped" in table[name]);
}

/** `COGENCY_BASE_URL` for `baseUrl`. */
export function variableOf(name: string): string {
  return `COGENCY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
