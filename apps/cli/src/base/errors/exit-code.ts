import { isRunError, type RunErrorCode, type RunResult } from "@cogency/agent";
import { isProviderError } from "@cogency/provider";
import { isStoreError } from "@cogency/storage";
import { causeOf } from "./message-of.ts";
import { UsageError } from "./usage-error.ts";

/** A signal ends a run with 128 plus its number, as in a shell. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  model: 3,
  limit: 4,
  store: 5,
  waiting: 6,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/** The meanings of the exit codes, as printed in the help and the README. */
export const exitCodeMeanings: readonly [code: number, meaning: string][] = [
  [exitCodes.done, "done"],
  [
    exitCodes.unexpected,
    "unexpected failure, a call of `cogency tools call` or `cogency mcp call` that failed, a server that `cogency mcp list` cannot use, a fault that `cogency doctor` found, or a file that `cogency rewind` left",
  ],
  [
    exitCodes.usage,
    "usage: unknown option, command, tool, provider or conversation, bad root, rule, import, attachment or schema, missing prompt or key",
  ],
  [
    exitCodes.model,
    "the model or its server failed, or the model made no progress or gave no answer that fits --schema",
  ],
  [
    exitCodes.limit,
    "stopped at a limit: the steps, tokens, cost, calls or time of a run, the length of an answer, or calls that repeat themselves or keep failing",
  ],
  [exitCodes.store, "the store failed: unreadable, corrupt, locked, or another writer was there"],
  [exitCodes.waiting, "waiting: calls need an answer before the run can go on (--wait)"],
  [exitCodes.SIGINT, "cancelled by Ctrl-C"],
  [exitCodes.SIGTERM, "cancelled by SIGTERM"],
];

/** The exit code of a run that is over. `cancelled` is the code to use if it was cancelled. */
export function exitCodeOfRun({ status, stop, error }: RunResult, cancelled: number): number {
  if (status === "failed") return exitCodeOfError(error);
  if (status === "waiting") return exitCodes.waiting;
  if (stop?.reason === "user_requested") return cancelled;
  if (error) return exitCodeOfError(error);
  return stop === undefined || stop.reason === "completed" ? exitCodes.done : exitCodes.limit;
}

export function exitCodeOfError(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (causeOf(error, isProviderError)) return exitCodes.model;
  if (isRunError(error)) return runErrorExits[error.code];
  if (isStoreError(error)) return exitCodes.store;
  return exitCodes.unexpected;
}

const runErrorExits: Record<RunErrorCode, number> = {
  provider: exitCodes.model,
  no_progress: exitCodes.model,
  context_overflow: exitCodes.model,
  store: exitCodes.store,
  not_stored: exitCodes.store,
  busy: exitCodes.store,
  driver: exitCodes.unexpected,
  tool: exitCodes.unexpected,
  hook: exitCodes.unexpected,
  key_ring: exitCodes.unexpected,
  attachments: exitCodes.usage,
  prompt_refused: exitCodes.usage,
  nothing_to_recover: exitCodes.usage,
  iterated_twice: exitCodes.unexpected,
  of_subagent: exitCodes.usage,
};
