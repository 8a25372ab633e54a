import { mkdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { type Agent, createAgent, type Run, RunError, type RunResult } from "@cogency/agent";
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
import type { Report } from "../../show/report.ts";
import { note } from "../../terminal/note.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { humanReport } from "./human-report.ts";
import { jsonReport } from "./json-report.ts";
import { identity, instructions } from "./system-prompt.ts";

export interface RunCommandOptions extends ProviderChoice, ToolOptions, ApprovalOptions {
  conversation?: string;
  resume?: true;
  store: string;
  /** Keeps what looks like a secret out of the store. */
  redact?: true;
  prices?: string;
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
  const report = options.json ? jsonReport() : humanReport();
  const { conversation = crypto.randomUUID(), resume, access, store: place } = options;
  if (resume) checkResume(prompt, options);
  const text = resume ? undefined : await promptText(prompt);
  const provider = await chooseProvider(options);
  const prices = options.prices === undefined ? undefined : await pricesFor(provider, options.prices);
  // What is kept nowhere needs no key that outlives it.
  const keyRing = place === ":memory:" ? processKeys() : await installationKeys();

  const startedAt = performance.now();
  const result = await withStore(place, async (opened) => {
    const store = options.redact ? redactingStore(opened) : opened;
    // The rules and the tools are made for one root: what a rule may say depends on whether this one can be confined.
    const root = await openRootFor(options, [...databaseFiles(place), await madeConfigurationFolder()]);
    const approval = createApproval(options, await surroundingsOf(root, options), terminalFor(prompt), report);
    const tools = await openTools(root, options, store);
    if (resume && !(await isThere(conversation, store)))
      throw await unknownConversation({ conversation }, store, place);
    const agent = createAgent({
      provider,
      tools,
      store,
      prices,
      keyRing,
      scope: scopeOf(options.root),
      lease: { owner: leaseOwner(), isGone: isOwnerGone },
      identity: identity(access),
      instructions: instructions(tools.map(({ name }) => name)),
      execution: { approval, earlyStart: true, observer: report.tool },
    });
    return cancellation.during((signal) => reported(start(agent, prompt, text, conversation, options, signal), report));
  });
  await Promise.race([commandsEnded(), setTimeout(longestEnd)]);
  const exit = exitCodeOfRun(result, cancellation.exitCode);
  report.over({ result, conversation, seconds: (performance.now() - startedAt) / 1000, exit });
  return exit;
}

/** Milliseconds that commands which hear no signal may take to be gone, with what was made for them. */
const longestEnd = 8000;

/**
 * It is kept from commands. Where the folder above it is there, the sandbox would hold its place with a file, and other runs
 * need a folder.
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

/** A price list may lack the model. The note says why the cost is missing. */
async function pricesFor({ model }: Provider, file: string): Promise<Prices> {
  const prices = await readPrices(file);
  if (!priceOf(prices, model)) {
    note(`The cost is unknown: ${file} has no price for the model "${model}".`);
  }
  return prices;
}

/** The terminal at which a person can be asked; undefined without one. */
function terminalFor(prompt: string | undefined): Terminal | undefined {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && prompt !== "-" ? { input: process.stdin, output: process.stderr } : undefined;
}

/** A store that cannot be opened is the end of a run that has not begun. */
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

/** Says what is to be said, or with no `text` goes on where the conversation broke off. */
function start(
  agent: Agent,
  prompt: string | undefined,
  text: string | undefined,
  conversation: string,
  { json, stream = json ? "event" : "token" }: RunCommandOptions,
  signal: AbortSignal,
): Run {
  const options = { conversation, stream: stream === "none" ? null : stream, signal };
  if (text === undefined) return agent.recover(options);
  return agent.run(text, { ...options, ...(prompt === "-" && { untrusted: "piped input" }) });
}

async function reported(run: Run, report: Report): Promise<RunResult> {
  try {
    for await (const event of run) report.event(event);
  } catch (error) {
    // Its result tells the same.
    if (!(error instanceof RunError)) throw error;
  }
  return run.result;
}
