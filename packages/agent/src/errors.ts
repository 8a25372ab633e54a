import type { StoreErrorCode } from "@cogency/storage";

/**
 * - `provider`: the model could not be asked, or its answer broke off; `cause` is what the provider threw
 * - `store`: the log could not be read or written, or somebody wrote to it after the run had lost its lease; `cause` is a
 * StoreError
 * - `driver`: the driver failed
 * - `tool`: a call failed, and the executor was told to end there (`throwOnToolFailure`); `cause` is a ToolError
 * - `hook`: a hook broke its contract, and hooks are checked strictly; `cause` is a HookContractError
 * - `no_progress`: the model wrote nothing that can be used, several times in a row
 * - `key_ring`: a conversation could not begin, because its key ring could not sign that; `cause` is what `sign` threw
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
  | "key_ring"
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

/**
 * The first failure of a run, with what failed after it: neither hides the other. A store that fails again tells nothing
 * new.
 */
export function withLater(first: RunError, later: unknown): RunError {
  if (first.code === "store" || first.code === "busy" || later === first || withTwo.has(first)) return first;
  const [cause, after] = [first, runErrorOf(later, "store")].map((error) => error.cause ?? error);
  const message = `${first.message} After that: ${runErrorOf(later, "store").message}`;
  const both = new RunError(first.code, message, {
    // Also in the chain of causes, where the first one is looked for.
    cause: new AggregateError([cause, after], message, { cause }),
    ...(first.text !== undefined && { text: first.text }),
  });
  withTwo.add(both);
  return both;
}

/** Those that tell of a later failure already. */
const withTwo = new WeakSet<RunError>();

/** Whether it is an error of a store with this code, of whichever copy of `@cogency/storage`. */
export function isStoreFailure(error: unknown, code: StoreErrorCode): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}
