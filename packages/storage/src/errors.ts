import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";
/**
 * - `conflict`: another writer has appended or saved in the meantime
 * - `lease_held`: another writer holds the lease
 * - `lease_lost`: the writer's lease has expired, was released or was taken over
 * - `invalid_event`: a store cannot keep this event
 * - `invalid_message`: a store cannot keep this message
 * - `invalid_profile`: a store cannot keep this profile
 * - `unavailable`: the store cannot be opened or reached, or its file was removed or replaced while it was open
 * - `corrupt`: the store exists but is damaged, belongs to another application, or contains foreign objects
 * - `newer_schema`: a newer version wrote the store
 * - `full`: the disk is full
 * - `closed`: the store was closed
 */
export type StoreErrorCode =
  | "conflict"
  | "lease_held"
  | "lease_lost"
  | "invalid_event"
  | "invalid_message"
  | "invalid_profile"
  | "unavailable"
  | "corrupt"
  | "newer_schema"
  | "full"
  | "closed";

/** The error of every failed call of a store. `cause` is the adapter's own error, if there is one. */
export class StoreError extends Error {
  static {
    brandErrors(StoreError, "StoreError");
  }

  override readonly name: string = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether it is a StoreError, also one of another copy of `@cogency/storage`. */
export function isStoreError(value: unknown): value is StoreError {
  return hasErrorBrand(value, "StoreError");
}

/** A store cannot keep this event. Nothing of its batch was stored. */
export class InvalidEventError extends StoreError {
  static {
    brandErrors(InvalidEventError, "InvalidEventError");
  }

  override readonly name = "InvalidEventError";
  /** The index of the event in the batch, counted from 0. */
  readonly index: number;
  /** The `type` of the event, even if no event has such a type; `undefined` if it has none. */
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

/** Whether it is a InvalidEventError, also one of another copy of `@cogency/storage`. */
export function isInvalidEventError(value: unknown): value is InvalidEventError {
  return hasErrorBrand(value, "InvalidEventError");
}

/** The log or the profile has changed since the writer loaded it. Nothing was stored; load again before writing. */
export class ConflictError extends StoreError {
  static {
    brandErrors(ConflictError, "ConflictError");
  }

  override readonly name = "ConflictError";
  readonly expected: number;
  readonly actual: number;

  constructor(expected: number, actual: number, subject: "log" | "profile" = "log") {
    super(
      "conflict",
      subject === "log"
        ? `The log has ${actual} events, but the writer expected ${expected}: another writer has changed this conversation. Load it again, then append.`
        : `The profile has version ${actual}, but the writer expected ${expected}: another writer has saved it. Load it again, then save.`,
    );
    this.expected = expected;
    this.actual = actual;
  }
}

/** Whether it is a ConflictError, also one of another copy of `@cogency/storage`. */
export function isConflictError(value: unknown): value is ConflictError {
  return hasErrorBrand(value, "ConflictError");
}

/**
 * The id of a message belongs to another message, or the message is not in the inbox: it was never posted, or an append has
 * taken it. Nothing was stored.
 */
export class MessageConflictError extends StoreError {
  override readonly name = "MessageConflictError";
  /** The id of the message. */
  readonly id: string;

  constructor(id: string, problem: "used" | "absent") {
    super(
      "conflict",
      problem === "used"
        ? `The id ${JSON.stringify(id)} belongs to another message of this conversation. Post with a new id.`
        : `The message ${JSON.stringify(id)} is not in the inbox of this conversation. Read the inbox again, then append.`,
    );
    this.id = id;
  }
}

/** Another writer holds the lease of the conversation. */
export class LeaseHeldError extends StoreError {
  static {
    brandErrors(LeaseHeldError, "LeaseHeldError");
  }

  override readonly name = "LeaseHeldError";
  /** The owner of the lease. */
  readonly owner: string;
  /** Unix time in milliseconds by the clock of the store: the lease expires then unless it is renewed. */
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

/** Whether it is a LeaseHeldError, also one of another copy of `@cogency/storage`. */
export function isLeaseHeldError(value: unknown): value is LeaseHeldError {
  return hasErrorBrand(value, "LeaseHeldError");
}

/** The writer's lease has ended. Nothing was stored. */
export class LeaseLostError extends StoreError {
  static {
    brandErrors(LeaseLostError, "LeaseLostError");
  }

  override readonly name = "LeaseLostError";
  /** The token of the lease that was lost. */
  readonly token: number;

  constructor(token: number) {
    super(
      "lease_lost",
      `Lease ${token} of the conversation has expired, was released or was taken over. Ask for a new lease and load the log again.`,
    );
    this.token = token;
  }
}

/** Whether it is a LeaseLostError, also one of another copy of `@cogency/storage`. */
export function isLeaseLostError(value: unknown): value is LeaseLostError {
  return hasErrorBrand(value, "LeaseLostError");
}

function timeText(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? "the end of time" : time.toISOString();
}
