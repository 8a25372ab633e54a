import type { Attachment } from "@cogency/protocol";
import {
  above,
  anything,
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
  recordOf,
  required,
  shown,
  signal,
  text,
  whole,
  wrongOption,
} from "@cogency/protocol/options";
import { type Price, providerKind, thinkingLevels } from "@cogency/provider";
import type { InboxMessage, Key, MessageContent } from "@cogency/storage";
import type { Content } from "@cogency/tools";
import { checkedAttachments, executorTable, hooksOf } from "@cogency/tools/host";
import type {
  AgentLeaseOptions,
  AgentOptions,
  AttachmentOptions,
  Budget,
  ConversationBudget,
  ExecutionOptions,
  ObjectOptions,
  RecoverOptions,
  RunOptions,
} from "./agent-options.ts";
import type { RequestSettings } from "./drivers/driver.ts";
import { insteadOf } from "./foreign-options.ts";
import type { ForkOptions } from "./fork.ts";
import { hookPoints } from "./hooks/hook-points.ts";
import { isSource, noticeFault, sourceWanted } from "./inbox/notices/notice-fault.ts";
import type { SendOptions } from "./inbox/send.ts";
import type { SweepOptions } from "./inbox/sweep.ts";
import type { AttachmentBounds } from "./settings.ts";

const amounts: OptionTable<ConversationBudget> = {
  steps: whole(1),
  tokens: whole(1),
  cost: above(0, "an amount of money"),
  toolCalls: whole(1),
};

const budgetTable: OptionTable<Budget> = {
  ...amounts,
  seconds: above(0, "seconds"),
  failures: whole(1),
  repeats: whole(1),
  failedCalls: whole(1),
  continuations: whole(1),
  calls: whole(1),
  conversation: group<ConversationBudget>(amounts, instead),
};
const budget = group<Budget>(budgetTable, instead);

const { registry: _, keyRing, observer: __, attachments: ___, ...executionTable } = executorTable;

const requestTable: OptionTable<RequestSettings> = {
  model: name,
  // The budget counts with it.
  maxOutputTokens: whole(1, Number.MAX_SAFE_INTEGER),
  temperature: atLeast(0, "a number"),
  thinking: oneOf(...thinkingLevels),
  stop: listOf(text, "an array of strings"),
  options: object,
  format: object,
};

const leaseTable: OptionTable<AgentLeaseOptions> = {
  ttl: above(0, "milliseconds"),
  owner: name,
  isGone: callback,
};

const attachmentTable: OptionTable<AttachmentOptions> = { maxBytes: whole(1), maxRequestBytes: whole(1) };

const priceKind = group<Price>({
  input: required(atLeast(0, "money per million tokens")),
  output: required(atLeast(0, "money per million tokens")),
  cacheRead: atLeast(0, "money per million tokens"),
  cacheWrite: atLeast(0, "money per million tokens"),
});

/** What shows a conversation in another way than it is. */
const historyKind: OptionKind = {
  wanted:
    "`compaction()`, `slidingWindow()` or `transform()` of @cogency/agent/history: earlier messages are in the store",
  isOfType: (value) =>
    ["firstShown", "condense", "transform", "makeRoom"].some(
      (method) => typeof (Object(value) as Record<string, unknown>)[method] === "function",
    ),
};

export const historyOption = either(listOf(historyKind), historyKind);

/** What a text holds. */
export const contents = listOf(
  group<Content>({ holds: required(oneOf("private", "untrusted")), source: required(text) }),
);

export const sourcesOption = listOf(
  {
    wanted: "a tool source, with a `name` and `tools()`",
    isOfType(value) {
      const { name, tools } = Object(value) as { name?: unknown; tools?: unknown };
      return typeof name === "string" && name !== "" && typeof tools === "function";
    },
  },
  "an array of tool sources",
);

const agentTable: OptionTable<AgentOptions> = {
  provider: required(providerKind),
  tools: listOf(anything, "an array of tools"),
  sources: sourcesOption,
  store: having("a store such as `sqliteStore()` makes", "append", "load"),
  fallback: listOf(providerKind, "an array of providers"),
  driver: either(having("a driver such as `protocolDriver()` makes", "begin"), callback),
  mode: oneOf("auto", "replay", "resume"),
  identity: text,
  instructions: text,
  history: historyOption,
  budget,
  execution: group<ExecutionOptions>(executionTable, instead),
  hooks: hooksOf(hookPoints),
  request: group<RequestSettings>(requestTable, instead),
  attachments: group<AttachmentOptions>(attachmentTable),
  prices: recordOf(priceKind),
  keyRing,
  whenUnanswered: oneOf("wait", "deny"),
  scope: text,
  instructionsHold: contents,
  instructionsOfRun: either(listOf(callback, "an array of functions"), callback),
  toolSearch: having("`toolSearch()` of @cogency/agent/tool-search", "over"),
  recordRequests: flag,
  lease: group<AgentLeaseOptions>(leaseTable, instead),
  live: flag,
  clock: callback,
  warn: callback,
};

const objectTable: OptionTable<ObjectOptions> = {
  conversation: name,
  user: name,
  on: callback,
  approve: callback,
  answer: callback,
  budget,
  atLimit: callback,
  untrusted: text,
  private: text,
  signal,
  handOver: signal,
  lease: having("a lease", "release"),
  metadata: object,
};

const runTable: OptionTable<RunOptions> = {
  ...objectTable,
  // `object` reads the pieces of the answer itself.
  stream: oneOf("token", "event", null),
  events: oneOf("all", "protocol"),
};

/** `recover` has no prompt, so nothing of it can be untrusted or private. */
const { untrusted: ____, private: _____, ...withoutPrompt } = runTable;
const recoverTable: OptionTable<RecoverOptions> = {
  ...withoutPrompt,
  conversation: required(name),
  wait: flag,
  leaveCancelled: flag,
};

/** What `at` may be depends on the log. */
const at: OptionKind = { wanted: "a number of events", isOfType: (value) => typeof value === "number" };
const forkTable: OptionTable<ForkOptions> = { at, as: name, user: name };

/** @throws as `checkOptions` of `@cogency/protocol/options` */
export function checkAgentOptions(options: AgentOptions): void {
  checkOptions<AgentOptions>("createAgent", options, agentTable, instead);
}

/** @throws as {@link checkAgentOptions} */
export function checkRunOptions(options: RunOptions, where: "run" | "object" = "run"): void {
  if (where === "run") checkOptions<RunOptions>("run", options, runTable, insteadInRun);
  else checkOptions<ObjectOptions>("object", options, objectTable, insteadInRun);
}

/** @throws as {@link checkAgentOptions} */
export function checkRecoverOptions(options: RecoverOptions): void {
  checkOptions<RecoverOptions>("recover", options, recoverTable, insteadInRun);
}

/** @throws as {@link checkAgentOptions} */
export function checkBudget(where: string, given: Budget): void {
  checkOptions<Budget>(where, given, budgetTable, instead);
}

/** @throws as {@link checkAgentOptions} */
export function checkForkOptions(conversation: unknown, options: ForkOptions): void {
  checkOption("fork", "conversation", conversation, required(name));
  checkOptions<ForkOptions>("fork", options, forkTable);
}

const question = required(name);
const attachments: OptionKind = listOf(anything, "an array of attachments");

/** What a message of each kind holds. */
const messageTables: Readonly<Record<MessageContent["kind"], Readonly<Record<string, OptionKind>>>> = {
  prompt: { content: required(text), attachments, tools: anything },
  steer: { content: required(text), attachments, tools: anything },
  notice: {
    content: required(text),
    source: { ...text, wanted: sourceWanted, isInRange: isSource },
    holds: oneOf("untrusted", "private"),
    topic: name,
    wakes: flag,
    child: object,
  },
  approve: { question, reason: text },
  deny: { question, reason: text },
  answer: { question, content: required(anything) },
  cancel: { reason: text },
  title: { content: required(text) },
  point: { content: required(text), at: required(whole(0)) },
};

/** @throws as {@link checkAgentOptions} */
export function checkMessage(to: Key, message: InboxMessage, options: SendOptions): void {
  checkOptions<Key>("The conversation of send", to, { conversation: required(name), user: name });
  const kind = required(oneOf(...Object.keys(messageTables)));
  checkOption("The message of send", "kind", (message as Partial<InboxMessage> | undefined)?.kind, kind);
  checkOptions<object>(`A message of the kind "${message.kind}"`, message, { kind, ...messageTables[message.kind] });
  const fault = message.kind === "notice" ? noticeFault({ ...message }) : undefined;
  if (fault !== undefined) throw wrongOption(TypeError, "holds", `The notice cannot be sent. ${fault}`);
  checkOptions<SendOptions>("send", options, { id: name, at: atLeast(0, "milliseconds"), from: text });
}

/** @throws as {@link checkAgentOptions} */
export function checkSweepOptions(options: SweepOptions): void {
  checkOptions<SweepOptions>("sweep", options, { signal, concurrency: whole(1, 10_000) });
}

/**
 * Reads a prompt: its text and its attachments.
 *
 * @throws TypeError, RangeError
 */
export function checkedPrompt(prompt: unknown, { maxBytes }: AttachmentBounds): PromptContent {
  if (typeof prompt === "string") return { text: prompt.toWellFormed() };
  const wanted = "give a string, or { text, attachments }";
  const { text, attachments, ...others } = (prompt ?? {}) as Record<string, unknown>;
  const kind = typeof prompt === "object" && prompt !== null && !Array.isArray(prompt) ? "an object" : shown(prompt);
  if (typeof text !== "string") throw wrongOption(TypeError, "prompt", `The prompt is ${kind}; ${wanted}.`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw wrongOption(TypeError, unknown, `\`${unknown}\` is not a part of a prompt: ${wanted}.`);
  // The kinds are checked where the run can fail: they depend on the model, not on the program.
  return {
    text: text.toWellFormed(),
    ...(attachments !== undefined && { attachments: checkedAttachments(attachments, { maxBytes }) }),
  };
}

/** A prompt after its checks. */
export interface PromptContent {
  text: string;
  attachments?: readonly Attachment[];
}

/** Where the options stand that are given in a wrong place. The first one that has the name counts. */
function homes(): readonly (readonly [code: (name: string) => string, table: object])[] {
  const within = (path: string) => (option: string) => {
    const levels = path.split(".");
    return `createAgent({ ${levels.map((level) => `${level}: { `).join("")}${option}: …${" }".repeat(levels.length)} })`;
  };
  return [
    [(option) => `createAgent({ ${option}: … })`, agentTable],
    [(option) => `agent.run(prompt, { ${option}: … })`, runTable],
    [within("budget"), budgetTable],
    [within("execution"), executionTable],
    [within("execution.approval"), { policy: true, timeout: true, content: true }],
    [within("request"), requestTable],
    [within("lease"), leaseTable],
    [within("attachments"), attachmentTable],
  ];
}

/** What to write instead of an option of another library, or one that stands elsewhere. */
function instead(option: string): string | undefined {
  return insteadOf(option) ?? homes().find(([, table]) => Object.hasOwn(table, option))?.[0](option);
}

function insteadInRun(option: string): string | undefined {
  // `execution.timeout` limits one call, which is not what the author of this wants.
  return option === "timeout" ? "agent.run(prompt, { signal: AbortSignal.timeout(60_000) })" : instead(option);
}
