/**
 * - `option_invalid`: what the host configured cannot work
 * - `url_invalid`: no URL, or one with a user name or password
 * - `scheme_refused`: not http or https, or a redirect from https to http
 * - `address_refused`: the host is not public
 * - `not_found`: the host name is unknown; the message is that of `address_refused`
 * - `too_many_redirects`: more than five, or any where none is expected
 * - `timeout`: the time for the whole request is over
 * - `too_large`: the body, once unpacked, is over the limit
 * - `http_status`: an answer other than 2xx, in `status`
 * - `content_type`: the answer is not text
 * - `bad_response`: the answer is not valid HTTP, does not match its encoding, or holds no search results
 * - `too_complex`: the page cannot be read within the limits of time, memory and nesting
 * - `offset_invalid`: `from` is beyond the end of the text
 * - `query_empty`: a search for white space
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
  | "query_empty"
  | "no_search_backend"
  | "network";

export interface WebErrorDetails extends ErrorOptions {
  status?: number;
  retryAfter?: number;
}

/** Thrown by the web tools. The message is written for the model and reveals nothing about hosts inside a network. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly code: WebErrorCode;
  /** The message says everything that the model may know. */
  readonly hidesCause = true;
  /** The requested URL without user name and password; `""` if the error is about no URL. */
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
