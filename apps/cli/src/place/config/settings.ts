import { presets } from "../provider/presets.ts";

/** What a configuration may say under one key, which is the long name of an option in camelCase. */
export interface Setting extends Traits {
  /** The option, with its value. */
  readonly flags: string;
  readonly type: "text" | "switch" | "count" | "amount" | "list" | "prices";
  /** The only texts that it takes. */
  readonly choices?: readonly string[];
  /** For the help, and for the schema of the file. */
  readonly description: string;
}

interface Traits {
  /** What an option is that is neither typed nor configured; undefined if that depends. */
  readonly usual?: string;
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

const risky = { isRisky: true } as const;
const server = { ...risky, isOfServer: true, isOfProfile: true } as const;
const limit = { ...risky, isOfProfile: true } as const;

/** @param takes the type, or the only texts */
function row(flags: string, takes: Setting["type"] | readonly string[], description: string, is: Traits = {}): Setting {
  const isChoice = typeof takes !== "string";
  return { flags, type: isChoice ? "text" : takes, ...(isChoice && { choices: takes }), description, ...is };
}

/** All keys but `profiles` and `$schema`. */
const settings = {
  profile: row(
    "--profile <name>",
    "text",
    "a profile of the configuration: provider, model, key, prices and others",
    risky,
  ),
  provider: row(
    "--provider <name>",
    "text",
    `offline, openai, anthropic, google, ${presets.join(", ")}, or a provider package by its name or path`,
    server,
  ),
  model: row("--model <name>", "text", "the provider's own default if absent", { isOfServer: true, isOfProfile: true }),
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
    { isOfServer: true, isOfProfile: true },
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
  prices: row("--prices <file>", "prices", "what models cost, as JSON; the run then shows its cost", limit),
  maxSteps: row(
    "--max-steps <count>",
    "count",
    "end the run after this many steps; 200 if absent, none in a chat",
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
  askAfterSteps: row(
    "--ask-after-steps <count>",
    "count",
    "ask whether to go on after this many steps without your word; 100 if absent",
    risky,
  ),
  askAfterMinutes: row(
    "--ask-after-minutes <minutes>",
    "amount",
    "ask after this time without your word; 30 if absent",
    risky,
  ),
  maxCost: row("--max-cost <amount>", "amount", "end the run before it costs more, in the currency of --prices", limit),
  maxSeconds: row(
    "--max-seconds <seconds>",
    "amount",
    "end the run after this time; 10800 if absent, none in a chat",
    limit,
  ),
  access: row(
    "--access <level>",
    ["sandbox", "project", "system"],
    "sandbox: .cogency/sandbox in the root; project: the root; system: every file",
    { ...risky, usual: "project" },
  ),
  tools: row(
    "--tools <names>",
    "list",
    "which tools, separated by commas; all that have what they need if absent",
    risky,
  ),
  readOnly: row(
    "--read-only",
    "switch",
    "look, change nothing: the model gets no tool that writes or runs something",
    risky,
  ),
  sandbox: row(
    "--sandbox <mode>",
    ["auto", "required", "off"],
    "auto: isolate programs that shell runs, where that works; required: run nothing where it does not",
    { ...risky, usual: "auto" },
  ),
  network: row(
    "--network <host>",
    "list",
    'a host that isolated programs may reach, such as api.example.com:443, or "full"',
    risky,
  ),
  untrusted: row("--untrusted <glob>", "list", "files with text from untrusted sources, such as vendor/**", risky),
  recall: row(
    "--recall <reach>",
    ["project", "everywhere"],
    "project: recall finds conversations of the same root; everywhere: all of them",
    { ...risky, usual: "project" },
  ),
  store: row(
    "--store <place>",
    "text",
    'the SQLite file of the conversations, or the postgres:// address of a database; ":memory:" keeps nothing',
    risky,
  ),
  redact: row("--redact", "switch", "keep what looks like a secret out of the store", risky),
  yes: row("--yes", "switch", "allow every tool without asking, unless there is a reason against a call", {
    ...risky,
    isOfRuns: true,
  }),
  deny: row("--deny", "switch", "deny every call that would be asked about", { ...risky, isOfRuns: true }),
  wait: row(
    "--wait",
    "switch",
    "without a terminal, end with exit code 6 where a call needs an answer, instead of denying it",
    { ...risky, isOfRuns: true },
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
  contextFiles: row("--no-context-files", "switch", "whether AGENTS.md files are read", risky),
  system: row(
    "--system <text>",
    "text",
    "instructions for the model in place of the usual ones; @ and a path for a file that holds them",
    limit,
  ),
  stream: row(
    "--stream <view>",
    ["token", "event", "none"],
    "token: as it arrives, the default; event: whole units, the default with --json; none: no streaming",
    { isOfRuns: true },
  ),
  quiet: row("--quiet", "switch", "show only the answer, questions and problems", { isOfRuns: true }),
  notify: row(
    "--notify [how]",
    ["osc9", "bell"],
    "tell you that a question waits, or that a turn of more than 10 s has ended: osc9, a message of the terminal, the default; bell",
  ),
  plain: row("--plain", "switch", "lines that are only added, for screen readers; also where TERM is dumb"),
  contextWindow: row(
    "--context-window <tokens>",
    "count",
    "how many tokens the model's context takes; the chat then shows what is left",
  ),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

/** The row of a key. */
export function settingOf(name: SettingName): Setting {
  return settings[name];
}

/** `COGENCY_BASE_URL` for `baseUrl`. */
export function variableOf(name: string): string {
  return `COGENCY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
