import { isProviderError, ProviderError, type ProviderErrorCode } from "@cogency/provider";
import { isObject, reportedError, stringOf } from "@cogency/provider/http";

/**
 * An error of the AI SDK as `toProviderError` reads it. Errors are known by their names, because several versions of the AI SDK may be
 * loaded. Messages that quote what a server sent are not passed on.
 *
 * @param name the provider, for messages
 */
export function modelError(error: unknown, name: string): unknown {
  if (!(error instanceof Error)) return reported(error);
  // Such as one of a `fetch` with limits, which a model wraps in errors of its own.
  if (holdsProviderError(error)) return error;
  if (error.name === "AI_RetryError" && "lastError" in error) return modelError(error.lastError, name);
  if (error.name === "AI_APICallError") return callError(error, name);
  if (error.name === "AI_JSONParseError") return new SyntaxError("It is not JSON.");
  const own = codes[error.name];
  if (own) return new ProviderError(own, `${name}: ${error.message}`);
  return unreadable.has(error.name) ? unread(name) : error;
}

function holdsProviderError(error: Error): boolean {
  const seen = new Set<unknown>();
  for (let link: unknown = error; link instanceof Error && !seen.has(link); link = link.cause) {
    if (isProviderError(link)) return true;
    seen.add(link);
  }
  return false;
}

/** Whether a model says by this error that the answer of its server ended before it was complete. */
export function isEndWithoutFinish(error: unknown): boolean {
  return (
    error instanceof Error && error.name === "AI_InvalidResponseDataError" && /without a finish/i.test(error.message)
  );
}

/** Their messages are the AI SDK's own words, about the request or the configuration. */
const codes: Readonly<Record<string, ProviderErrorCode>> = {
  AI_LoadAPIKeyError: "missing_key",
  AI_LoadSettingError: "bad_request",
  AI_InvalidArgumentError: "bad_request",
  AI_InvalidPromptError: "bad_request",
  AI_NoSuchModelError: "not_found",
  AI_UnsupportedFunctionalityError: "unsupported",
};

const unreadable: ReadonlySet<string> = new Set([
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_NoContentGeneratedError",
  "AI_TypeValidationError",
]);

/** A refusal by HTTP in the shape that `toProviderError` knows; one without a status is a connection that failed. */
function callError(error: Error, name: string): unknown {
  const { statusCode, responseHeaders, responseBody, data } = error as Error & Record<string, unknown>;
  if (typeof statusCode !== "number") return error;
  if (statusCode < 300) return unreadAnswer(error, name);
  return Object.assign(new Error(error.message), {
    status: statusCode,
    headers: waitHeaders(responseHeaders),
    error: isObject(data) ? data : bodyOf(responseBody),
  });
}

/** The body of a server whose refusals are others than the model knows. `toProviderError` quotes its message. */
function bodyOf(given: unknown): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(stringOf(given));
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A connection that breaks before the first event fails while the model reads the answer. */
function unreadAnswer({ cause }: Error, name: string): ProviderError {
  const isBroken = cause instanceof Error && !cause.name.startsWith("AI_") && !(cause instanceof SyntaxError);
  return isBroken
    ? new ProviderError("cut_stream", `The connection to ${name} broke before the answer was complete.`)
    : unread(name);
}

function unread(name: string): ProviderError {
  return new ProviderError("bad_response", `${name} sent an answer that the model could not read.`);
}

/** No others are read, and a header may hold a secret. */
function waitHeaders(given: unknown): Headers {
  const headers = new Headers();
  if (!isObject(given)) return headers;
  for (const [key, value] of Object.entries(given)) {
    const header = key.toLowerCase();
    if (typeof value === "string" && ["retry-after", "retry-after-ms", "date"].includes(header))
      headers.set(header, value);
  }
  return headers;
}

/** What a server reported in the middle of its answer: an object with a message, or a text. */
function reported(error: unknown): unknown {
  if (typeof error === "string") return reportedError({ message: error });
  if (!isObject(error)) return reportedError({ message: "It gave no reason." });
  const { message, type, code, statusCode } = error;
  const words = stringOf(message) || "It gave no reason.";
  return reportedError({ message: words, type, code: code ?? statusCode });
}
