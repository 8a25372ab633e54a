/**
 * - `invalid_request` (400): an address, header or body that is malformed
 * - `unauthorized` (401): `authenticate` does not say who sends the request
 * - `forbidden` (403): the user lacks the scope `log`; also for `authenticate` of the host
 * - `cross_site` (403): a page of another origin asks
 * - `not_found` (404): no such address or conversation
 * - `method_not_allowed` (405): the header `Allow` names the methods that the address has
 * - `timeout` (408): the body did not come in time
 * - `conflict` (409): the id of the message belongs to another message, or the reader has seen more events than there are
 * - `too_large` (413): the body has too many bytes
 * - `unsupported_type` (415): the body is not `application/json`
 * - `too_many_requests`, `too_many_streams`, `too_many_messages`, `too_many_conversations` (429): a limit of the user; the header
 *   `Retry-After` gives the seconds until the next try
 * - `internal` (500): the server failed
 * - `store_failed` (503): the store cannot be used now
 */
export type ProblemCode = keyof typeof statuses;

const statuses = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
  too_many_streams: 429,
  too_many_messages: 429,
  too_many_conversations: 429,
  internal: 500,
  store_failed: 503,
} as const;

/** The status of the response for a code. */
export function statusOf(code: ProblemCode): number {
  return statuses[code];
}

/** Why a request is refused: a code for programs, and a message for people. The sender reads both. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  /** The status of the response. */
  readonly status: number;
  /** Further headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    options: ErrorOptions & { headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = statuses[code];
    this.headers = options.headers ?? {};
  }
}

/**
 * The problem that the sender may read of. What a store or a host throws may hold addresses and keys, so nothing of its message is
 * shown.
 */
export function problemOf(error: unknown): Problem {
  // By its name: a host may have another copy of this class.
  if (
    error instanceof Error &&
    error.name === "Problem" &&
    "code" in error &&
    Object.hasOwn(statuses, String(error.code))
  )
    return error as Problem;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "conflict") {
    return new Problem("conflict", "The id belongs to another message of this conversation. Post with a new id.", {
      cause: error,
    });
  }
  if (code === "invalid_message")
    return new Problem("invalid_request", "The store cannot keep this message.", { cause: error });
  if (typeof code === "string" && storeFailures.has(code))
    return new Problem("store_failed", `The store cannot be used now (${code}).`, { cause: error });
  return new Problem("internal", "The server could not do this.", { cause: error });
}

/** The codes of a StoreError that say that the store failed. */
const storeFailures: ReadonlySet<string> = new Set(["unavailable", "corrupt", "newer_schema", "full", "closed"]);
