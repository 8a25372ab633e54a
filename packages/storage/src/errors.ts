/**
 * - `conflict`: another writer was there first
 * - `lease_held`: somebody else is the single writer
 * - `lease_lost`: the writer's lease has run out or was taken over
 * - `invalid_event`: an event that a store does not keep
 * - `invalid_profile`: a profile that a store does not keep
 * - `unavailable`: the store cannot be reached or opened, or its file was removed or replaced since
 * - `corrupt`: the store is there, and damaged, of another kind, or with something in it that no store makes
 * - `newer_schema`: the store was written by a newer version
 * - `full`: no room left
 * - `closed`: the store was closed
 */
export type StoreErrorCode =
  | "conflict"
  | "lease_held"
  | "lease_lost"
  | "invalid_event"
  | "invalid_profile"
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

/** The log, or the profile, is not where the writer believed it to be. Load again before writing. */
export class ConflictError extends StoreError {
  override readonly name = "ConflictError";
  readonly expected: number;
  readonly actual: number;

  constructor(expected: number, actual: number, subject: "log" | "profile" = "log") {
    super(
      "conflict",
      subject === "log"
        ? `The log has ${actual} events where the writer expected ${expected}: somebody else is writing to this conversation. Load it again, then append.`
        : `The profile has version ${actual} where the writer expected ${expected}: somebody else has saved it. Load it again, then save.`,
    );
    this.expected = expected;
    this.actual = actual;
  }
}

/** Somebody else is the single writer of the conversation. */
export class LeaseHeldError extends StoreError {
  override readonly name = "LeaseHeldError";
  /** Who holds the lease. */
  readonly owner: string;
  /** Unix time in milliseconds by the clock of the store, when it runs out unless it is renewed. */
  readonly expiresAt: number;

  constructor(owner: string, expiresAt: number) {
    super(
      "lease_held",
      `The conversation is being written by ${JSON.stringify(owner)}, whose lease runs until ${timeText(expiresAt)}. Wait for it to end, then try again.`,
    );
    this.owner = owner;
    this.expiresAt = expiresAt;
  }
}

/** The writer is not the single writer any more. Nothing was stored. */
export class LeaseLostError extends StoreError {
  override readonly name = "LeaseLostError";
  /** Of the lease that was lost. */
  readonly token: number;

  constructor(token: number) {
    super(
      "lease_lost",
      `Lease ${token} of the conversation has run out or was taken over. Ask for a new lease and load the log again.`,
    );
    this.token = token;
  }
}

function timeText(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? "the end of time" : time.toISOString();
}
