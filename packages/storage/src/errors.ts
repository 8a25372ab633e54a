/**
 * - `conflict`: another writer was there first
 * - `invalid_event`: an event that a store does not keep
 * - `unavailable`: the store cannot be reached or opened
 * - `corrupt`: the store is there, and damaged or of another kind
 * - `newer_schema`: the store was written by a newer version
 * - `full`: no room left
 * - `closed`: the store was closed
 */
export type StoreErrorCode =
  | "conflict"
  | "invalid_event"
  | "unavailable"
  | "corrupt"
  | "newer_schema"
  | "full"
  | "closed";

/** What every store throws. `cause` holds the adapter's own error. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An event that a store does not keep. Nothing of its batch was stored. */
export class InvalidEventError extends StoreError {
  override readonly name = "InvalidEventError";
  /** Its place in the batch, counted from 0. */
  readonly index: number;
  /** Its `type` as it came, `undefined` if it had none. */
  readonly type: string | undefined;

  constructor(index: number, type: string | undefined, problem: string, options?: ErrorOptions) {
    super(
      "invalid_event",
      `Event ${index} of the batch (type ${type ?? "missing"}) cannot be stored: ${problem}`,
      options,
    );
    this.index = index;
    this.type = type;
  }
}

/** The log is not where the writer believed it to be. Load again before appending. */
export class ConflictError extends StoreError {
  override readonly name = "ConflictError";
  readonly expected: number;
  readonly actual: number;

  constructor(expected: number, actual: number) {
    super(
      "conflict",
      `The log has ${actual} events where the writer expected ${expected}: somebody else is writing to this conversation. Load it again, then append.`,
    );
    this.expected = expected;
    this.actual = actual;
  }
}
