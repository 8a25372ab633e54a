/**
 * The code of a {@link ClientError}: one of `@cogency/server`, such as `unauthorized`, `not_found`, `conflict` or `too_many_messages`, or
 *
 * - `unreachable`: no answer came, because the network or the server is away, or because `headers` failed
 * - `bad_response`: something else than this server answered, such as a page of a proxy
 * - `invalid_url`: outside of a page, the `url` of the client has no scheme and host
 * - `no_streams`: the `fetch` cannot give a body piece by piece
 * - `discarded`: the message was discarded before the server took it
 */
export type ClientErrorCode =
  | "unreachable"
  | "bad_response"
  | "invalid_url"
  | "no_streams"
  | "discarded"
  | (string & {});

/** The server did not do what was asked. The message is for people; it holds no header and no body of the request. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** The status of the response; 0 if none came. */
  readonly status: number;
  /** Milliseconds until the server wants to be asked again, if it says so. */
  readonly retryAfter?: number;

  constructor(
    code: ClientErrorCode,
    message: string,
    { status = 0, retryAfter, ...options }: ErrorOptions & { status?: number; retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** Whether the same request may succeed later. */
export function isPassing({ code, status }: ClientError): boolean {
  if (status === 429) return code !== "too_many_messages";
  return code === "unreachable" || status === 408 || status === 425 || status >= 500;
}
