import { ProviderError, type ProviderErrorCode } from "../../errors.ts";

/** An answer with a status that is not a success. */
export interface RefusedAnswer {
  /** The server's host, for the message. */
  host: string;
  status: number;
  headers?: Headers | undefined;
  /** The server's own words; quoted up to 500 characters. */
  message: string;
  /** The account's quota is used up: the same request will not succeed later, whatever the status says. */
  isQuota?: boolean | undefined;
  /** Added to the message of a 401 or a 403: that no key was sent, and how to give one. */
  advice?: string | undefined;
  /** Removes keys from the server's words; see {@link redactor}. */
  redact?: ((text: string) => string) | undefined;
}

/** The ProviderError for an HTTP status, with `retryAfter` from the headers. */
export function statusError(refusal: RefusedAnswer): ProviderError {
  const { host, status, headers, message, isQuota, advice, redact } = refusal;
  const isQuotaUsedUp = isQuota || status === 402;
  const code = isQuotaUsedUp ? "rate_limit" : codeOf(status);
  const isWithoutKey = advice !== undefined && status === 401;
  const problem = isQuotaUsedUp ? "says the quota is used up" : isWithoutKey ? "asks for an API key" : phrases[code];
  const addition = advice !== undefined && (status === 401 || status === 403) ? ` ${advice}` : "";
  return new ProviderError(code, `${host} ${problem} (HTTP ${status}): ${excerpt(message, redact)}${addition}`, {
    status,
    retryAfter: retryAfter(headers),
    ...(isQuotaUsedUp ? { retryable: false } : {}),
  });
}

type StatusCode = Exclude<
  ProviderErrorCode,
  "missing_key" | "connection" | "cut_stream" | "bad_response" | "answer_too_large" | "insecure" | "unsupported"
>;

function codeOf(status: number): StatusCode {
  if (status === 401) return "authentication";
  if (status === 403) return "permission";
  if (status === 404) return "not_found";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429) return "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  return status >= 500 ? "server" : "bad_request";
}

const phrases: Record<StatusCode, string> = {
  authentication: "does not accept the API key; check `apiKey`",
  permission: "does not permit this request",
  not_found: "does not have this; check `model` and `baseURL`",
  bad_request: "refused the request",
  rate_limit: "limits the rate of requests",
  overloaded: "is overloaded",
  server: "failed",
  timeout: "gave up waiting",
};

/** Seconds, from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get("retry-after-ms")?.trim();
  const precise = milliseconds ? atLeastZero(Number(milliseconds) / 1000) : undefined;
  if (precise !== undefined) return precise;
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  return atLeastZero(Number.isNaN(Number(value)) ? (Date.parse(value) - now(headers)) / 1000 : Number(value));
}

/** The server's current time, because its clock may differ from ours by minutes. */
function now(headers: Headers | undefined): number {
  const date = Date.parse(headers?.get("date") ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

function atLeastZero(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** An error page of a proxy can be long. */
const longestMessage = 500;

/** A server's words for an error message: without keys, and cut after 500 characters. */
export function excerpt(message: string, redact: (text: string) => string = (text) => text): string {
  // Redacted before it is cut, because half a key could remain otherwise.
  const text = redact(message);
  if (text.length <= longestMessage) return text;
  // Half a surrogate pair could not be stored everywhere.
  const cut = text.slice(0, longestMessage).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}…`;
}
