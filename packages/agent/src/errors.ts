import type { StoreErrorCode } from "@cogency/storage";

/**
 * - `provider`: the model could not be asked, or its answer broke off; `cause` is what the provider threw
 * - `store`: the log could not be read or written, or somebody wrote to it after the run had lost its lease; `cause` is a
 * StoreError
 * - `driver`: the driver failed
 * - `tool`: a call failed, and the executor was told to end there (`throwOnToolFailure`); `cause` is a ToolError
 * - `hook`: a hook broke its contract, and hooks are checked strictly; `cause` is a HookContractError
 * - `no_progress`: the model wrote nothing that can be used, several times in a row
 * - `busy`: another run is at work on the conversation, of whichever process; `cause` is a LeaseHeldError
 * - `nothing_to_recover`: the conversation to go on with is empty
 * - `iterated_twice`: a run can be iterated once
 */
export type RunErrorCode =
  | "provider"
  | "store"
  | "driver"
  | "tool"
  | "hook"
  | "no_progress"
  | "busy"
  | "nothing_to_recover"
  | "iterated_twice";

/** What a run does not survive. What it survives are `error` events. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;
  /** With `no_progress`: what the model wrote the last time. */
  readonly text: string | undefined;

  constructor(code: RunErrorCode, message: string, options: ErrorOptions & { text?: string } = {}) {
    super(message, options);
    this.code = code;
    this.text = options.text;
  }
}

export function runErrorOf(error: unknown, code: RunErrorCode): RunError {
  if (error instanceof RunError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RunError(code, message, { cause: error });
}

/** Whether it is an error of a store with this code, of whichever copy of `@cogency/storage`. */
export function isStoreFailure(error: unknown, code: StoreErrorCode): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}
