import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * What a new code touches stands in CONTRIBUTING, "Add an error code": whether another key or model helps is decided elsewhere.
 *
 * - `missing_key`: no API key was given and the server needs one
 * - `authentication`: the server does not accept the key
 * - `permission`: the server accepts the key but does not permit this request
 * - `not_found`: no such model, or no such server path
 * - `bad_request`: the server refuses the request as it is
 * - `rate_limit`: too many requests, or the account's quota is used up
 * - `overloaded`: the server is too busy at the moment
 * - `server`: the server failed
 * - `connection`: the server cannot be reached
 * - `timeout`: the server did not answer in time
 * - `cut_stream`: the answer began and did not end as the wire demands; `partial` holds what arrived
 * - `bad_response`: the answer does not follow this wire, or is a redirect
 * - `answer_too_large`: the answer exceeds one of the limits; the message names it
 * - `insecure`: a key would be sent to another machine without encryption
 * - `unsupported`: the provider cannot do what the request asks for
 */
export type ProviderErrorCode =
  | "missing_key"
  | "authentication"
  | "permission"
  | "not_found"
  | "bad_request"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "connection"
  | "timeout"
  | "cut_stream"
  | "bad_response"
  | "answer_too_large"
  | "insecure"
  | "unsupported";

export interface ProviderErrorOptions {
  /** HTTP status of the answer, if there was one. */
  status?: number | undefined;
  /** Defaults to {@link isRetryable} of the code. */
  retryable?: boolean | undefined;
  /** Seconds that the server asks to wait before the next try. Ignored unless a number ≥ 0. */
  retryAfter?: number | undefined;
  /** Text received before the failure. */
  partial?: string | undefined;
  /** Must not hold a key: causes are printed with the error. */
  cause?: unknown;
}

/** The error that every provider throws. INVARIANT: neither the message nor any other field holds a key. */
export class ProviderError extends Error {
  static {
    brandErrors(ProviderError, "ProviderError");
  }

  override readonly name: string = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Text received before the failure; undefined if there was none. Not enumerable, so that logs of the error omit it. */
  declare readonly partial: string | undefined;

  constructor(code: ProviderErrorCode, message: string, options: ProviderErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryable = options.retryable ?? isRetryable(code);
    // A provider that parses a header itself may pass NaN or a negative number.
    const { retryAfter = Number.NaN } = options;
    this.retryAfter = retryAfter >= 0 ? retryAfter : undefined;
    // Otherwise printing or storing the error would copy an answer of megabytes.
    Object.defineProperty(this, "partial", { value: options.partial || undefined, enumerable: false });
  }
}

/** Whether it is a ProviderError, also one of another copy of `@cogency/provider`. */
export function isProviderError(value: unknown): value is ProviderError {
  return hasErrorBrand(value, "ProviderError");
}

/** Whether failures of this kind pass by themselves. */
export function isRetryable(code: ProviderErrorCode): boolean {
  return retryable.has(code);
}

const retryable: ReadonlySet<ProviderErrorCode> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "connection",
  "timeout",
  "cut_stream",
]);

/** The error with the text that was received before it, unless it holds some already. */
export function withPartial(error: ProviderError, partial: string): ProviderError {
  if (error.partial !== undefined || partial === "") return error;
  const { code, message, status, retryable, retryAfter, cause } = error;
  return new ProviderError(code, message, { status, retryable, retryAfter, partial, cause });
}
