import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";
import type { StoreErrorCode } from "@cogency/storage";

/**
 * - `provider`: the model could not be asked, or its answer broke off; `cause` is what the provider threw
 * - `attachments`: the conversation holds an attachment that the model does not take, or more bytes of them than one request may
 *   have; the model was not asked
 * - `context_overflow`: the request has more tokens than the model takes, and the agent's `history` cannot make it smaller; the message
 *   says what has how many
 * - `store`: the log could not be read or written, or another run wrote to it after this one had lost its lease; `cause`
 *   is a StoreError
 * - `not_stored`: the run was aborted, and the store did not answer any more; its last events may be missing
 * - `driver`: the driver threw, which is the `cause`
 * - `tool`: a call failed, and `throwOnToolFailure` is set; `cause` is a ToolError `tool_failed`
 * - `hook`: a hook that guards failed, or returned what its point does not admit; `cause` is a ToolError
 *   `hook_failed` or `hook_contract`
 * - `prompt_refused`: a hook refused the prompt, which is stored nowhere; the model was not asked
 * - `no_progress`: several answers of the model in a row could not be used
 * - `key_ring`: a conversation could not begin because the key ring failed to sign its origin; `cause` is what `sign` threw
 * - `busy`: another run, of this or another process, holds the conversation; `cause` is a LeaseHeldError
 * - `nothing_to_recover`: the conversation to recover is empty
 * - `iterated_twice`: a run can be iterated once
 * - `of_subagent`: the conversation is that of an agent which another one has started, and has no turns of its own; the message names
 *   the conversation that goes on instead
 */
export type RunErrorCode =
  | "provider"
  | "attachments"
  | "context_overflow"
  | "store"
  | "not_stored"
  | "driver"
  | "tool"
  | "hook"
  | "prompt_refused"
  | "no_progress"
  | "key_ring"
  | "busy"
  | "nothing_to_recover"
  | "iterated_twice"
  | "of_subagent";

/** An error that ends a run. Errors that do not end it are `error` events. */
export class RunError extends Error {
  static {
    brandErrors(RunError, "RunError");
  }

  override readonly name = "RunError";
  readonly code: RunErrorCode;
  /** With `no_progress`: the last answer of the model. */
  readonly text: string | undefined;

  constructor(code: RunErrorCode, message: string, options: ErrorOptions & { text?: string } = {}) {
    super(message, options);
    this.code = code;
    this.text = options.text;
  }
}

/** Whether it is a RunError, also one of another copy of `@cogency/agent`. */
export function isRunError(value: unknown): value is RunError {
  return hasErrorBrand(value, "RunError");
}

export function runErrorOf(error: unknown, code: RunErrorCode): RunError {
  if (isRunError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RunError(code, message, { cause: error });
}

/** Does work that is due even after the run has failed. Its error does not hide the earlier failure. */
export async function afterFailure<T>(failure: RunError | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure ? withLater(failure, error) : error;
  }
}

/**
 * The first failure of a run together with a later one, so that neither hides the other. If the first failure came from
 * the store, the later one is left out.
 */
function withLater(first: RunError, later: unknown): RunError {
  if (first.code === "store" || first.code === "busy" || later === first || withTwo.has(first)) return first;
  const [cause, after] = [first, runErrorOf(later, "store")].map((error) => error.cause ?? error);
  const message = `${first.message} After that: ${runErrorOf(later, "store").message}`;
  const both = new RunError(first.code, message, {
    // In the chain of causes too, where hosts look for the first one.
    cause: new AggregateError([cause, after], message, { cause }),
    ...(first.text !== undefined && { text: first.text }),
  });
  withTwo.add(both);
  return both;
}

/** Errors that hold a later failure already. */
const withTwo = new WeakSet<RunError>();

/** Whether it is a StoreError with this code, also one of another copy of `@cogency/storage`. */
export function isStoreFailure(error: unknown, code: StoreErrorCode): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}
