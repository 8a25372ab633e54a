import { ProviderError, type ProviderErrorCode } from "@cogency/provider";
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";

export interface FailureContext {
  /** Who was asked, for the message. */
  host: string;
  /** Whether the server had begun a successful answer. */
  responded: boolean;
  /** Text received so far. */
  partial: string;
  redact: Redact;
}

type Redact = (text: string) => string;

/**
 * What the SDK throws, in our terms; what is in them already is left as it is. The SDK's error is not kept as the cause: it and the errors behind it hold
 * whatever the server and the HTTP client quoted, keys included.
 */
export function toProviderError(error: unknown, context: FailureContext): ProviderError {
  if (error instanceof ProviderError) return error;
  return context.responded ? duringAnswer(error, context) : beforeAnswer(error, context);
}

function duringAnswer(error: unknown, { host, partial, redact }: FailureContext): ProviderError {
  if (error instanceof APIError) {
    const message = `${host} broke its answer off: ${serverMessage(error, redact)}`;
    return new ProviderError("cut_stream", message, { partial, retryable: !isRefusal(error) });
  }
  if (error instanceof SyntaxError) {
    const message = `${host} sent an event that is not JSON: the answer was cut, or is not Chat Completions.`;
    return new ProviderError("cut_stream", message, { partial });
  }
  const message = redact(`The connection to ${host} broke before the answer was complete: ${deepestMessage(error)}`);
  return new ProviderError("cut_stream", message, { partial });
}

function beforeAnswer(error: unknown, { host, redact }: FailureContext): ProviderError {
  if (error instanceof APIConnectionTimeoutError) {
    return new ProviderError(
      "timeout",
      `${host} did not begin to answer in time. The option \`timeout\` says how long to wait; the \`fetch\` of Node waits 300 seconds at most.`,
    );
  }
  if (error instanceof APIError && error.status !== undefined) return ofStatus(error, error.status, host, redact);
  if (error instanceof APIConnectionError) {
    return new ProviderError("connection", redact(`${host} cannot be reached: ${deepestMessage(error)}`));
  }
  return new ProviderError("bad_request", redact(`The request to ${host} could not be made: ${deepestMessage(error)}`));
}

function ofStatus(error: APIError, status: number, host: string, redact: Redact): ProviderError {
  const isQuota = status === 402 || error.code === "insufficient_quota";
  const code = isQuota ? "rate_limit" : codeOf(status);
  const message = `${host} ${isQuota ? "says the quota is used up" : phrases[code]} (HTTP ${status}): ${serverMessage(error, redact)}`;
  return new ProviderError(code, message, {
    status,
    retryAfter: retryAfter(error.headers),
    ...(isQuota ? { retryable: false } : {}),
  });
}

type StatusCode = Exclude<
  ProviderErrorCode,
  "missing_key" | "connection" | "cut_stream" | "bad_response" | "unsupported"
>;

function codeOf(status: number): StatusCode {
  if (status === 401) return "authentication";
  if (status === 403) return "permission";
  if (status === 404) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  return status >= 500 ? "server" : "bad_request";
}

const phrases: Record<StatusCode, string> = {
  authentication: "does not accept the API key; check `apiKey` or OPENAI_API_KEY",
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
  const milliseconds = headers?.get("retry-after-ms");
  if (milliseconds) return atLeastZero(Number(milliseconds) / 1000);
  const value = headers?.get("retry-after");
  if (!value) return undefined;
  return atLeastZero(Number.isNaN(Number(value)) ? (Date.parse(value) - Date.now()) / 1000 : Number(value));
}

function atLeastZero(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** An error in the stream that says the request itself is wrong, such as one that is too long for the model. */
function isRefusal({ type, code }: APIError): boolean {
  return type === "invalid_request_error" || /^4(?!08|29)\d\d$/.test(String(code));
}

/** An error page of a proxy can be long. */
const longestMessage = 500;

function serverMessage(error: APIError, redact: Redact): string {
  const body: unknown = error.error;
  const message = typeof body === "string" ? body : (body as { message?: unknown } | undefined)?.message;
  // Redacted before it is cut, or half a key could be left.
  const text = redact(typeof message === "string" && message !== "" ? message : error.message);
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

/** `fetch failed` says nothing; what stands behind it, such as `connect ECONNREFUSED 127.0.0.1:11434`, does. */
function deepestMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (deepest instanceof AggregateError && deepest.errors[0] instanceof Error) deepest = deepest.errors[0];
  return deepest instanceof Error ? deepest.message || deepest.name : String(deepest);
}
