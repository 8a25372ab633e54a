import { mkdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { type Agent, createAgent, protocolDriver, type Run, RunError, type RunResult } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { type Prices, type Provider, priceOf, zeroUsage } from "@cogency/provider";
import { redactingStore, type Store, StoreError } from "@cogency/storage";
import { isOwnerGone, leaseOwner } from "@cogency/storage-sqlite/lease-owner";
import { commandsEnded, type Root, shellIsolation } from "@cogency/toolbox";
import type { RuleSurroundings } from "../../approval/allow-rules.ts";
import { type ApprovalOptions, createApproval } from "../../approval/approval.ts";
import type { Cancellation } from "../../cancellation.ts";
import { exitCodeOfRun } from "../../errors/exit-code.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { configurationFolder } from "../../setup/configuration-folder.ts";
import { installationKeys, processKeys } from "../../setup/installation-keys.ts";
import { openRootFor, openTools, type ToolOptions } from "../../setup/open-tools.ts";
import { chooseProvider, type ProviderChoice } from "../../setup/provider/choose-provider.ts";
import { readPrices } from "../../setup/read-prices.ts";
import { scopeOf } from "../../setup/scope-of.ts";
import { openStore } from "../../setup/store/open-store.ts";
import { databaseFiles } from "../../setup/store/store-files.ts";
import { unknownConversation } from "../../setup/store/unknown-conversation.ts";
import type { RunDisplay } from "../../show/run-display.ts";
import { note } from "../../terminal/note.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { humanDisplay } from "./human-display.ts";
import { jsonDisplay } from "./json-display.ts";
import { identity, instructions } from "./system-prompt.ts";

export interface RunCommandOptions extends ProviderChoice, ToolOptions, ApprovalOptions {
  conversation?: string;
  resume?: true;
  store: string;
  /** Keeps texts that look like secrets out of the store. */
  redact?: true;
  prices?: string;
  /** How the model writes calls. */
  dialect: "json" | "xml";
  /** Runs blocks too that have one lossless reading. */
  repair?: true;
  /** `"think"`: answers begin inside of a think block. */
  startIn: "text" | "think";
  stream?: "token" | "event" | "none";
  json?: true;
}

/**
 * `cogency run`.
 *
 * @returns the exit code
 * @throws UsageError before any event is stored
 */
export async function runCommand(
  prompt: string | undefined,
  options: RunCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  const display = options.json ? jsonDisplay() : humanDisplay();
  const { conversation = crypto.randomUUID(), resume, access, store: place } = options;
  if (resume) checkResume(prompt, options);
  const text = resume ? undefined : await promptText(prompt);
  const provider = await chooseProvider(options);
  const prices = options.prices === undefined ? undefined : await pricesFor(provider, options.prices);
  // A conversation in memory needs no key that outlives the process.
  const keyRing = place === ":memory:" ? processKeys() : await installationKeys();

  const startedAt = performance.now();
  const result = await withStore(place, async (opened) => {
    const store = options.redact ? redactingStore(opened) : opened;
    // Rules and tools share one root: a rule for commands is valid only if programs in this root can be isolated.
    const root = await openRootFor(options, [...databaseFiles(place), await madeConfigurationFolder()]);
    const approval = createApproval(options, await surroundingsOf(root, options), terminalFor(prompt), display);
    const tools = await openTools(root, options, store);
    if (resume && !(await isThere(conversation, store)))
      throw await unknownConversation({ conversation }, store, place);
    const agent = createAgent({
      provider,
      tools,
      store,
      driver: protocolDriver({ dialect: options.dialect, repair: options.repair, startIn: options.startIn }),
      prices,
      keyRing,
      whenUnanswered: options.wait ? "wait" : "deny",
      scope: scopeOf(options.root),
      lease: { owner: leaseOwner(), isGone: isOwnerGone },
      identity: identity(access),
      instructions: instructions(tools.map(({ name }) => name)),
      execution: { approval, earlyStart: true },
    });
    return cancellation.during((signal) =>
      displayed(start(agent, prompt, text, conversation, options, signal), display),
    );
  });
  await Promise.race([commandsEnded(), setTimeout(longestEnd)]);
  const exit = exitCodeOfRun(result, cancellation.exitCode);
  display.end({ result, conversation, seconds: (performance.now() - startedAt) / 1000, exit });
  return exit;
}

/** Milliseconds that commands which ignore signals may take to end and to be cleaned up. */
const longestEnd = 8000;

/**
 * Makes the configuration folder, which is out of reach of commands. If it did not exist, the sandbox would put a file in its
 * place, but other runs need a folder there.
 */
async function madeConfigurationFolder(): Promise<string> {
  const folder = configurationFolder();
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  return folder;
}

async function surroundingsOf(root: Root, { sandbox, network = [] }: RunCommandOptions): Promise<RuleSurroundings> {
  const { isolated } = await shellIsolation(root, { sandbox });
  return { base: root.base, isolated, hosts: network.filter((host) => host !== "full") };
}

function checkResume(prompt: string | undefined, { conversation }: RunCommandOptions): void {
  if (prompt !== undefined) throw new UsageError("--resume goes on without a new prompt: leave one of the two out.");
  if (conversation === undefined) throw new UsageError("--resume needs --conversation, to know which one is to go on.");
}

async function promptText(prompt: string | undefined): Promise<string> {
  if (prompt === undefined) {
    throw new UsageError(
      'There is no prompt. Say what to do, "-" for stdin, or --resume to go on with a conversation.',
    );
  }
  const text = prompt === "-" ? await readStdin() : prompt;
  if (text.trim() !== "") return text;
  throw new UsageError(
    prompt === "-" ? "Stdin held no prompt. Pipe one in." : 'The prompt is empty. Say what to do, or "-" for stdin.',
  );
}

async function readStdin(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of process.stdin) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Says why the cost will be missing if the price list lacks the model. */
async function pricesFor({ model }: Provider, file: string): Promise<Prices> {
  const prices = await readPrices(file);
  if (!priceOf(prices, model)) {
    note(`The cost is unknown: ${file} has no price for the model "${model}".`);
  }
  return prices;
}

/** The terminal to ask a person at; undefined without one. */
function terminalFor(prompt: string | undefined): Terminal | undefined {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && prompt !== "-" ? { input: process.stdin, output: process.stderr } : undefined;
}

/** Uses a store and closes it. If it cannot be opened, returns the result of a failed run. */
async function withStore(place: string, use: (store: Store) => Promise<RunResult>): Promise<RunResult> {
  let store: Store;
  try {
    store = await openStore(place);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const error = new RunError("store", cause.message, { cause });
    return { status: "failed", text: "", steps: 0, toolErrors: 0, usage: zeroUsage, error };
  }
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function isThere(conversation: string, store: Store): Promise<boolean> {
  return (await store.load({ conversation }, { last: 1 })).length > 0;
}

/** Starts a run with `text`; without it, continues the conversation where it broke off. */
function start(
  agent: Agent,
  prompt: string | undefined,
  text: string | undefined,
  conversation: string,
  { json, stream = json ? "event" : "token" }: RunCommandOptions,
  signal: AbortSignal,
): Run<RunEvent> {
  const options = { conversation, stream: stream === "none" ? null : stream, events: "all", signal } as const;
  if (text === undefined) return agent.recover(options);
  return agent.run(text, { ...options, ...(prompt === "-" && { untrusted: "piped input" }) });
}

async function displayed(run: Run<RunEvent>, display: RunDisplay): Promise<RunResult> {
  try {
    for await (const event of run) display.event(event);
  } catch (error) {
    // `run.result` holds this error too.
    if (!(error instanceof RunError)) throw error;
  }
  return run.result;
}
