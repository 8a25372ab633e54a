import { isObject, stringOf } from "@cogency/provider/http";

/** What the server says of a failure: a `google.rpc.Status` in the field `error`. */
export interface ServerFailure {
  /** As an HTTP status; undefined if the server does not say. */
  readonly status: number | undefined;
  readonly message: string;
  /** Seconds until the next try, from the detail `RetryInfo`. */
  readonly retryAfter: number | undefined;
  /** A quota of the whole day is used up. */
  readonly isQuota: boolean;
  /** The server does not accept the key, which it tells with a status of 400. */
  readonly isKeyRefused: boolean;
}

/** The failure that a chunk or a body reports; undefined if it reports none. */
export function serverFailure(value: unknown): ServerFailure | undefined {
  // A stream that is no event stream is an array, also of a single error.
  const [first] = Array.isArray(value) ? value : [value];
  if (!isObject(first) || first.error === undefined || first.error === null) return undefined;
  const error = isObject(first.error) ? first.error : { message: first.error };
  const { code, status, message } = error;
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  return {
    status: isStatus(code) ? code : statuses[stringOf(status)],
    message: stringOf(message) || JSON.stringify(first.error),
    retryAfter: details.map(({ retryDelay }) => secondsOf(retryDelay)).find((seconds) => seconds !== undefined),
    isQuota: details.some(({ violations }) => Array.isArray(violations) && violations.some(isOfDay)),
    isKeyRefused: details.some(({ reason }) => reason === "API_KEY_INVALID"),
  };
}

function isStatus(code: unknown): code is number {
  return typeof code === "number" && code >= 400 && code < 600;
}

/** A duration as JSON has it: `34.4s`. */
function secondsOf(duration: unknown): number | undefined {
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(stringOf(duration)) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Quotas have names such as `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. */
function isOfDay(violation: unknown): boolean {
  return isObject(violation) && /PerDay/i.test(stringOf(violation.quotaId));
}

/** The statuses of `google.rpc.Code`. */
const statuses: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};
