/**
 * - `option_invalid`: what the host configured cannot work
 * - `url_invalid`: no URL, or one with a user name or password
 * - `scheme_refused`: not http or https, or a redirect from https to http
 * - `address_refused`: the host is not public
 * - `not_found`: the host name is unknown; told in the words of `address_refused`
 * - `too_many_redirects`: more than five, or any where none is expected
 * - `timeout`: the time for the whole request is over
 * - `too_large`: the body, once unpacked, is over the limit
 * - `http_status`: an answer other than 2xx, in `status`
 * - `content_type`: an answer that is no text
 * - `bad_response`: an answer that is not what it says it is
 * - `too_complex`: a page that could not be read within bounds
 * - `offset_invalid`: `from` is beyond the end of the text
 * - `no_search_backend`: the host configured no search service
 * - `network`: the connection failed; `cause` is the system's error
 */
export type WebErrorCode =
  | "option_invalid"
  | "url_invalid"
  | "scheme_refused"
  | "address_refused"
  | "not_found"
  | "too_many_redirects"
  | "timeout"
  | "too_large"
  | "http_status"
  | "content_type"
  | "bad_response"
  | "too_complex"
  | "offset_invalid"
  | "no_search_backend"
  | "network";

export interface WebErrorDetails extends ErrorOptions {
  status?: number;
  retryAfter?: number;
}

/** What the web tools throw. The message is written for the model and tells nothing of what exists inside a network. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly code: WebErrorCode;
  /** The message says all that the model is to know. */
  readonly hidesCause = true;
  /** What was asked for, without user name and password; `""` where it is about no URL. */
  readonly url: string;
  /** The HTTP status, with the code `http_status`. */
  readonly status: number | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(
    code: WebErrorCode,
    url: string,
    message: string,
    { status, retryAfter, ...options }: WebErrorDetails = {},
  ) {
    super(message, options);
    this.code = code;
    this.url = url;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
