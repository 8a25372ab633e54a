import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `newer_profile`: a newer version of this package wrote the profile
 * - `foreign_profile`: the store holds something else as the profile of this user, or the profile is damaged or beyond its bounds
 * - `invalid_memory`: a memory cannot be kept: its words, or what it is about; `index` says which one of several
 * - `unknown_memory`: the profile has no memory of this id
 */
export type MemoryErrorCode = "newer_profile" | "foreign_profile" | "invalid_memory" | "unknown_memory";

/** Why a profile could not be read or changed. Nothing was changed. */
export class MemoryError extends Error {
  static {
    brandErrors(MemoryError, "MemoryError");
  }

  override readonly name = "MemoryError";
  readonly code: MemoryErrorCode;
  /** With `invalid_memory`: its index in what was given, counted from 0. */
  readonly index: number | undefined;

  constructor(code: MemoryErrorCode, message: string, options: ErrorOptions & { index?: number } = {}) {
    super(message, options);
    this.code = code;
    this.index = options.index;
  }
}

/** Whether it is a MemoryError, also one of another copy of `@cogency/memory`. */
export function isMemoryError(value: unknown): value is MemoryError {
  return hasErrorBrand(value, "MemoryError");
}
