/** What a configuration may say under one key, which is the long name of an option in camelCase. */
export interface Setting {
  readonly type: "text" | "switch" | "count" | "amount" | "list" | "prices";
  /** The only texts that it takes. */
  readonly choices?: readonly string[];
  readonly description: string;
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

const server = { isRisky: true, isOfServer: true, isOfProfile: true } as const;

/** All keys but `profiles` and `$schema`. */
const settings = {
  profile: { type: "text", description: "which of the profiles is used", isRisky: true },
  provider: {
    type: "text",
    description: "offline, openai, anthropic, google, a preset, or a provider package by its name or path",
    ...server,
  },
  model: { type: "text", description: "the model", isOfServer: true, isOfProfile: true },
  baseUrl: { type: "text", description: "where the provider's server is", ...server },
  apiKeyEnv: {
    type: "text",
    description: "the variable, or the entry of the key file, whose key belongs to that server; never the key itself",
    ...server,
  },
  api: {
    type: "text",
    choices: ["chat", "responses", "realtime"],
    description: "OpenAI API to use",
    isOfServer: true,
    isOfProfile: true,
  },
  driver: {
    type: "text",
    choices: ["protocol", "native", "react", "auto"],
    description: "how the model is asked",
    isOfProfile: true,
  },
  dialect: { type: "text", choices: ["json", "xml"], description: "how calls are written as text", isOfProfile: true },
  startIn: {
    type: "text",
    choices: ["text", "think"],
    description: "think: answers begin inside of a think block",
    isOfProfile: true,
    isOfRuns: true,
  },
  repair: {
    type: "switch",
    description: "run blocks, too, that have one lossless reading",
    isOfProfile: true,
    isOfRuns: true,
  },
  prices: {
    type: "prices",
    description: "what models cost, per million tokens, or the path of a file that says so",
    isRisky: true,
    isOfProfile: true,
  },
  maxSteps: { type: "count", description: "end a run after so many steps", isRisky: true, isOfProfile: true },
  maxTokens: { type: "count", description: "end a run that needs more tokens", isRisky: true, isOfProfile: true },
  maxCalls: { type: "count", description: "end a run that makes more calls", isRisky: true, isOfProfile: true },
  maxFailedCalls: {
    type: "count",
    description: "end a run after so many failed calls in a row",
    isRisky: true,
    isOfProfile: true,
  },
  maxRepeats: {
    type: "count",
    description: "end a run after so many times the same calls with the same results",
    isRisky: true,
    isOfProfile: true,
  },
  maxFailures: {
    type: "count",
    description: "end a run after so many unusable answers in a row",
    isRisky: true,
    isOfProfile: true,
  },
  askAfterSteps: {
    type: "count",
    description: "steps without your word after which a chat asks whether to go on",
    isRisky: true,
  },
  askAfterMinutes: {
    type: "amount",
    description: "minutes without your word after which a chat asks whether to go on",
    isRisky: true,
  },
  maxCost: { type: "amount", description: "end a run before it costs more", isRisky: true, isOfProfile: true },
  maxSeconds: { type: "amount", description: "end a run after this time", isRisky: true, isOfProfile: true },
  access: {
    type: "text",
    choices: ["sandbox", "project", "system"],
    description: "how far the tools reach",
    isRisky: true,
  },
  tools: { type: "list", description: "which tools there are", isRisky: true },
  readOnly: { type: "switch", description: "no tool that writes or runs something", isRisky: true },
  sandbox: {
    type: "text",
    choices: ["auto", "required", "off"],
    description: "whether programs that shell runs are isolated",
    isRisky: true,
  },
  network: { type: "list", description: "hosts that isolated programs may reach, or full", isRisky: true },
  untrusted: { type: "list", description: "globs of files with text from untrusted sources", isRisky: true },
  recall: {
    type: "text",
    choices: ["project", "everywhere"],
    description: "which conversations recall finds",
    isRisky: true,
  },
  store: { type: "text", description: "where conversations are kept", isRisky: true },
  redact: { type: "switch", description: "keep what looks like a secret out of the store", isRisky: true },
  yes: { type: "switch", description: "allow every tool without asking", isRisky: true, isOfRuns: true },
  deny: { type: "switch", description: "deny what would be asked", isRisky: true, isOfRuns: true },
  wait: {
    type: "switch",
    description: "without a terminal, wait for an answer instead of denying",
    isRisky: true,
    isOfRuns: true,
  },
  allow: { type: "list", description: "what runs without asking", isRisky: true },
  content: {
    type: "text",
    choices: ["ask", "allow"],
    description: "whether private or untrusted content makes calls ask",
    isRisky: true,
  },
  contextFiles: { type: "switch", description: "whether AGENTS.md files are read", isRisky: true },
  system: {
    type: "text",
    description: "what the model is told of its role; @ and a path for a file that holds it",
    isRisky: true,
    isOfProfile: true,
  },
  stream: { type: "text", choices: ["token", "event", "none"], description: "how the answer is shown", isOfRuns: true },
  quiet: { type: "switch", description: "show only the answer, questions and problems", isOfRuns: true },
  notify: { type: "text", choices: ["osc9", "bell"], description: "how a chat tells that it waits for you" },
  plain: { type: "switch", description: "a chat in lines that are only added" },
  contextWindow: { type: "count", description: "what the model's context takes, so that a chat shows what is left" },
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
