import { type AgentOptions, createAgent, RunError, type RunResult } from "@cogency/agent";
import { zeroUsage } from "@cogency/provider";
import { type Store, StoreError } from "@cogency/storage";
import { ToolboxError, toolbox } from "@cogency/toolbox";
import type { Tool } from "@cogency/tools";
import { createApproval, type Terminal } from "./approval.ts";
import type { Cancellation } from "./cancellation.ts";
import { chooseProvider, type ProviderChoice } from "./choose-provider.ts";
import { exitCodeOfRun } from "./exit-code.ts";
import { humanReport } from "./human-report.ts";
import { jsonReport } from "./json-report.ts";
import { openStore } from "./open-store.ts";
import type { Report } from "./report.ts";
import { identity, instructions } from "./system-prompt.ts";
import { UsageError } from "./usage-error.ts";

export interface RunCommandOptions extends ProviderChoice {
  conversation?: string;
  root: string;
  store: string;
  stream?: "token" | "event" | "none";
  json?: true;
  yes?: true;
}

/**
 * `cogency run`.
 *
 * @returns the exit code
 * @throws UsageError before anything is stored
 */
export async function runCommand(
  prompt: string,
  options: RunCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  const report = options.json ? jsonReport() : humanReport();
  const { conversation = crypto.randomUUID() } = options;
  const text = await promptText(prompt);
  const tools = await openTools(options.root);
  const provider = await chooseProvider(options);

  const startedAt = performance.now();
  const result = await withStore(options.store, (store) => {
    const execution = {
      ...(!options.yes && { approval: createApproval(terminalFor(prompt), report) }),
      observer: report.tool,
    };
    const agentOptions = { provider, tools, store, identity, instructions, execution };
    return cancellation.during((signal) => converse(agentOptions, text, conversation, options, report, signal));
  });
  const exit = exitCodeOfRun(result, cancellation.exitCode);
  report.over({ result, conversation, seconds: (performance.now() - startedAt) / 1000, exit });
  return exit;
}

async function promptText(prompt: string): Promise<string> {
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

async function openTools(root: string): Promise<Tool[]> {
  try {
    return await toolbox({ root });
  } catch (error) {
    if (error instanceof ToolboxError) throw new UsageError(`--root: ${error.message}`, { cause: error });
    throw error;
  }
}

/** A store that cannot be opened is the end of a run that has not begun. */
async function withStore(path: string, use: (store: Store) => Promise<RunResult>): Promise<RunResult> {
  let store: Store;
  try {
    store = await openStore(path);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const error = new RunError("store", cause.message, { cause });
    return { status: "failed", text: "", steps: 0, usage: zeroUsage, error };
  }
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Where somebody can be asked. */
function terminalFor(prompt: string): Terminal | undefined {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && prompt !== "-" ? { input: process.stdin, output: process.stderr } : undefined;
}

async function converse(
  agentOptions: AgentOptions,
  text: string,
  conversation: string,
  { json, stream = json ? "event" : "token" }: RunCommandOptions,
  report: Report,
  signal: AbortSignal,
): Promise<RunResult> {
  const run = createAgent(agentOptions).run(text, {
    conversation,
    stream: stream === "none" ? null : stream,
    signal,
  });
  try {
    for await (const event of run) report.event(event);
  } catch (error) {
    // Its result tells the same.
    if (!(error instanceof RunError)) throw error;
  }
  return run.result;
}
