import type { Attachment } from "@cogency/protocol";
import { type ApprovalRules, checkedAttachments, nearestNames } from "@cogency/tools";
import type {
  AgentLeaseOptions,
  AgentOptions,
  AttachmentOptions,
  Budget,
  ConversationBudget,
  ExecutionOptions,
  RecoverOptions,
  RunOptions,
} from "./agent-options.ts";
import type { RequestSettings } from "./drivers/driver.ts";
import { insteadOf } from "./foreign-options.ts";
import type { ForkOptions } from "./fork.ts";
import { checkHooks } from "./hooks/check-hooks.ts";
import type { AttachmentBounds } from "./settings.ts";

/**
 * Refuses wrong options for callers without a type checker: an option that is ignored looks like one that works.
 *
 * @throws TypeError for an unknown option, with the place where it belongs or the known names, and for an option of a wrong
 * type; RangeError for an unknown value
 */
export function checkAgentOptions(options: AgentOptions): void {
  checkNames("createAgent", options);
  for (const [name, method] of Object.entries(methods)) {
    // A function chooses the driver of each provider.
    if (name !== "driver" || typeof options.driver !== "function") checkMethod(name, method, read(options, name));
  }
  if (options.provider === undefined) throw new TypeError("createAgent needs a `provider`: the model to ask.");
  for (const group of ["execution", "request", "lease", "attachments"] as const) {
    if (options[group] !== undefined) checkNames(group, options[group]);
  }
  checkBudget(options.budget);
  checkMostOutput(options.request?.maxOutputTokens);
  const { tools, mode, execution } = options;
  if (isPromise(tools)) throw new TypeError("`tools` is a promise; await it.");
  if (tools !== undefined && !Array.isArray(tools)) throw wrongKind("tools", tools, "an array of tools");
  const { fallback, toolSearch } = options;
  if (toolSearch !== undefined && typeof read(Object(toolSearch), "over") !== "function") {
    throw new TypeError("`toolSearch` is no search; give `toolSearch()` of @cogency/agent/tool-search.");
  }
  for (const one of [options.history ?? []].flat()) {
    if (["firstShown", "transform", "makeRoom"].every((name) => typeof read(Object(one), name) !== "function")) {
      throw new TypeError(
        "`history` holds no `compaction()`, `slidingWindow()` or `transform()` of @cogency/agent/history. Earlier messages are in the store.",
      );
    }
  }
  if (fallback !== undefined && !Array.isArray(fallback))
    throw wrongKind("fallback", fallback, "an array of providers");
  for (const [index, other] of (fallback ?? []).entries()) checkMethod(`fallback[${index}]`, "stream", other);
  if (options.hooks !== undefined) checkHooks(options.hooks);
  checkOneOf("mode", mode, ["auto", "replay", "resume"]);
  checkOneOf("whenUnanswered", options.whenUnanswered, ["wait", "deny"]);
  for (const name of ["identity", "instructions", "scope"] as const) checkType(name, options[name], "string");
  checkContent(options.instructionsHold);
  checkType("recordRequests", options.recordRequests, "boolean");
  for (const name of ["clock", "warn"] as const) checkType(name, options[name], "function");
  if (execution?.approval === undefined) return;
  checkNames("execution.approval", execution.approval);
  const { policy } = execution.approval;
  if (policy !== undefined && typeof policy !== "function") checkNames("execution.approval.policy", policy);
}

function checkContent(given: unknown): void {
  const isContent = (one: unknown) =>
    ["private", "untrusted"].includes(String(read(Object(one), "holds"))) &&
    typeof read(Object(one), "source") === "string";
  if (given === undefined || (Array.isArray(given) && given.every(isContent))) return;
  throw new TypeError(
    '`instructionsHold` is no list of content; give such as [{ holds: "private", source: "AGENTS.md" }].',
  );
}

/** The budget counts with it. */
function checkMostOutput(given: unknown): void {
  if (given === undefined || (Number.isInteger(given) && (given as number) >= 1)) return;
  throw new RangeError(`request.maxOutputTokens is ${given}; give a whole number of at least 1.`);
}

/** @throws as {@link checkAgentOptions} */
export function checkRunOptions(options: RunOptions, group: "run" | "recover" | "object" = "run"): void {
  checkNames(group, options);
  const { stream, events, signal, metadata } = options;
  checkOneOf("stream", stream, ["token", "event", null]);
  checkOneOf("events", events, ["all", "protocol"]);
  for (const name of ["on", "approve", "answer", "atLimit"] as const) checkType(name, options[name], "function");
  checkBudget(options.budget);
  for (const name of ["conversation", "user", "untrusted", "private"] as const)
    checkType(name, options[name], "string");
  checkMethod("signal", "addEventListener", signal);
  checkMethod("handOver", "addEventListener", options.handOver);
  if (options.lease !== undefined) checkMethod("lease", "release", options.lease);
  if (metadata !== undefined && (typeof metadata !== "object" || metadata === null)) {
    throw wrongKind("metadata", metadata, "an object");
  }
}

function checkBudget(budget: Budget | undefined): void {
  if (budget === undefined) return;
  checkNames("budget", budget);
  if (budget.conversation !== undefined) checkNames("budget.conversation", budget.conversation);
}

/** @throws as {@link checkAgentOptions} */
export function checkRecoverOptions(options: RecoverOptions): void {
  checkRunOptions(options, "recover");
  if (options.conversation === undefined) {
    throw new TypeError("recover needs the `conversation` to continue.");
  }
}

/** @throws as {@link checkAgentOptions} */
export function checkForkOptions(conversation: unknown, options: ForkOptions): void {
  if (conversation === undefined) throw new TypeError("fork needs the name of the `conversation` to begin with.");
  checkType("conversation", conversation, "string");
  checkNames("fork", options);
  for (const name of ["as", "user"] as const) checkType(name, options[name], "string");
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
  if (typeof text !== "string") throw new TypeError(`The prompt is ${kindOf(prompt)}; ${wanted}.`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`\`${unknown}\` is not a part of a prompt: ${wanted}.`);
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

// A table that lacks an option of its type, or has one too many, does not compile.

const agentNames: Record<keyof AgentOptions, true> = {
  provider: true,
  tools: true,
  store: true,
  fallback: true,
  driver: true,
  mode: true,
  identity: true,
  instructions: true,
  instructionsHold: true,
  history: true,
  budget: true,
  execution: true,
  hooks: true,
  request: true,
  attachments: true,
  prices: true,
  keyRing: true,
  whenUnanswered: true,
  scope: true,
  toolSearch: true,
  recordRequests: true,
  lease: true,
  clock: true,
  warn: true,
};

const runNames: Record<keyof RunOptions, true> = {
  conversation: true,
  user: true,
  stream: true,
  events: true,
  on: true,
  approve: true,
  answer: true,
  atLimit: true,
  budget: true,
  untrusted: true,
  private: true,
  signal: true,
  handOver: true,
  lease: true,
  metadata: true,
};

/** `recover` has no prompt, so nothing of it can be untrusted or private. */
const recoverNames = [
  ...Object.keys(runNames).filter((name) => name !== "untrusted" && name !== "private"),
  "wait",
  "leaveCancelled",
];

/** `object` reads the pieces of the answer itself. */
const objectNames = Object.keys(runNames).filter((name) => name !== "stream" && name !== "events");

const forkNames: Record<keyof ForkOptions, true> = { at: true, as: true, user: true };

const conversationBudgetNames: Record<keyof ConversationBudget, true> = {
  steps: true,
  tokens: true,
  cost: true,
  toolCalls: true,
};

const budgetNames: Record<keyof Budget, true> = {
  ...conversationBudgetNames,
  seconds: true,
  failures: true,
  repeats: true,
  failedCalls: true,
  continuations: true,
  calls: true,
  conversation: true,
};

const executionNames: Record<keyof ExecutionOptions, true> = {
  concurrency: true,
  timeout: true,
  approval: true,
  hooks: true,
  hookChecks: true,
  unknownKeys: true,
  maxResultBytes: true,
  throwOnToolFailure: true,
  stopOnToolBlock: true,
  earlyStart: true,
};

const approvalNames: Record<keyof NonNullable<ExecutionOptions["approval"]>, true> = {
  policy: true,
  approve: true,
  timeout: true,
  content: true,
};

const ruleNames: Record<keyof ApprovalRules, true> = { tools: true, annotations: true, otherwise: true };

const requestNames: Record<keyof RequestSettings, true> = {
  model: true,
  maxOutputTokens: true,
  temperature: true,
  stop: true,
  options: true,
  format: true,
};

const leaseNames: Record<keyof AgentLeaseOptions, true> = { ttl: true, owner: true, isGone: true };

const attachmentNames: Record<keyof AttachmentOptions, true> = { maxBytes: true, maxRequestBytes: true };

/** The options of each group. A misplaced option is looked up in this order. */
const groups = {
  createAgent: Object.keys(agentNames),
  run: Object.keys(runNames),
  recover: recoverNames,
  object: objectNames,
  fork: Object.keys(forkNames),
  budget: Object.keys(budgetNames),
  "budget.conversation": Object.keys(conversationBudgetNames),
  execution: Object.keys(executionNames),
  "execution.approval": Object.keys(approvalNames),
  request: Object.keys(requestNames),
  lease: Object.keys(leaseNames),
  attachments: Object.keys(attachmentNames),
  "execution.approval.policy": Object.keys(ruleNames),
} as const;

type Group = keyof typeof groups;

/** The method by which each object is recognized. */
const methods = { provider: "stream", store: "append", driver: "begin", keyRing: "verify" } as const;

function checkNames(group: Group, options: object): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`The options of ${group} are ${kindOf(options)}; give an object.`);
  }
  const names = groups[group];
  // An option that is undefined counts as absent.
  const unknown = Object.keys(options).find((name) => !names.includes(name) && read(options, name) !== undefined);
  if (unknown === undefined) return;
  throw new TypeError(`\`${unknown}\` is not an option of ${group}: ${advice(unknown, group)}`);
}

function advice(name: string, group: Group): string {
  const names = groups[group];
  const instead = comparedWithOthers.has(group) ? insteadOf(name) : undefined;
  if (instead !== undefined) return `write \`${instead}\`.`;
  // `execution.timeout` limits one call, which is not what the author of this wants.
  if (name === "timeout" && (group === "run" || group === "recover")) {
    return "write `signal: AbortSignal.timeout(60_000)` to limit the run.";
  }
  const home = (Object.keys(groups) as Group[]).find((group) => groups[group].includes(name));
  if (home === "createAgent") return `\`${name}\` belongs in the options of createAgent.`;
  if (home === "run") {
    const calls = recoverNames.includes(name) ? "run and recover" : "run";
    return `\`${name}\` belongs in the options of ${calls}.`;
  }
  if (home) return `\`${name}\` belongs in \`${home}\` of createAgent. Write \`${nested(home, name)}\`.`;
  const [nearest] = nearestNames(name, names);
  const guess = nearest === undefined ? "" : `did you mean \`${nearest}\`? `;
  return `${guess}its options are ${names.join(", ")}.`;
}

/** The groups whose unknown options are compared with those of other libraries. In the rules, for one, a name is a tool's. */
const comparedWithOthers: ReadonlySet<Group> = new Set([
  "createAgent",
  "run",
  "recover",
  "object",
  "budget",
  "request",
]);

/** @example nested("execution.approval", "approve") // "execution: { approval: { approve: … } }" */
function nested(home: Group, name: string): string {
  const levels = home.split(".");
  return `${levels.map((level) => `${level}: { `).join("")}${name}: …${" }".repeat(levels.length)}`;
}

function checkMethod(name: string, method: string, value: unknown): void {
  if (value === undefined) return;
  const isObject = (typeof value === "object" || typeof value === "function") && value !== null;
  if (isObject && typeof read(value, method) === "function") return;
  const problem = isObject ? `has no method \`${method}\`` : `is ${kindOf(value)}`;
  throw new TypeError(`\`${name}\` ${problem}.${isPromise(value) ? " Await it: it is a promise." : ""}`);
}

function checkOneOf(name: string, value: unknown, values: readonly (string | null)[]): void {
  if (value === undefined || values.some((known) => known === value)) return;
  const shown = typeof value === "string" ? JSON.stringify(value) : kindOf(value);
  throw new RangeError(`\`${name}\` is ${shown}; give ${values.map((known) => JSON.stringify(known)).join(", ")}.`);
}

function checkType(name: string, value: unknown, type: "string" | "boolean" | "function"): void {
  if (value !== undefined && typeof value !== type) throw wrongKind(name, value, `a ${type}`);
}

function wrongKind(name: string, value: unknown, wanted: string): TypeError {
  return new TypeError(`\`${name}\` is ${kindOf(value)}; give ${wanted}.`);
}

function isPromise(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value;
}

function read(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name];
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
