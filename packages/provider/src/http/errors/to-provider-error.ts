import { isProviderError, ProviderError, type ProviderErrorCode, withPartial } from "../../errors.ts";
import { excerpt, statusError } from "./status-error.ts";

export interface FailureContext {
  /** The server's host, for the message. */
  host: string;
  /** The wire that the server was expected to speak, for the message: `Chat Completions`. */
  wire: string;
  /** Whether the server had begun a successful answer. */
  responded: boolean;
  /** Text received so far. */
  partial: string;
  /** Added to the message of a 401 or a 403, such as that no key was sent. */
  advice?: string | undefined;
  /** See {@link redactor}. */
  redact(text: string): string;
}

/**
 * Converts an error of `fetch`, or of an SDK such as `openai` and `@anthropic-ai/sdk`, to a ProviderError. A ProviderError,
 * also one among the causes, keeps its code and message; the partial text is added and keys are removed.
 *
 * The original error is not kept as the cause, because it and its own causes hold everything that the server and the HTTP
 * client quoted, keys included.
 */
export function toProviderError(error: unknown, context: FailureContext): ProviderError {
  const failure = context.responded ? duringAnswer : beforeAnswer;
  return redacted(withPartial(providerErrorIn(error) ?? failure(error, context), context.partial), context);
}

/** Removes keys and causes. A `fetch` of the user's may throw a ProviderError, and the partial text may repeat the key. */
function redacted(error: ProviderError, { redact }: FailureContext): ProviderError {
  const { code, status, retryable, retryAfter } = error;
  const message = redact(error.message);
  const partial = error.partial && redact(error.partial);
  if (message === error.message && partial === error.partial && error.cause === undefined) return error;
  return new ProviderError(code, message, { status, retryable, retryAfter, partial });
}

function providerErrorIn(error: unknown): ProviderError | undefined {
  for (const link of chain(error)) if (isProviderError(link)) return link;
  return undefined;
}

/** The error and its causes. */
function* chain(error: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  for (let link = error; link instanceof Error && !seen.has(link); link = link.cause ?? firstOf(link)) {
    seen.add(link);
    yield link;
  }
}

function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined;
}

function duringAnswer(error: unknown, { host, wire, redact }: FailureContext): ProviderError {
  const answer = serverAnswer(error);
  if (answer) {
    const message = `${host} broke its answer off: ${excerpt(answer.message, redact)}`;
    return new ProviderError(answer.code, message, answer.isQuota ? { retryable: false } : {});
  }
  if (error instanceof SyntaxError) {
    const message = `${host} sent an event that is not JSON: the answer was cut, or is not ${wire}.`;
    return new ProviderError("cut_stream", message);
  }
  const message = redact(`The connection to ${host} broke before the answer was complete: ${deepestMessage(error)}`);
  return new ProviderError("cut_stream", message);
}

function beforeAnswer(error: unknown, { host, redact, advice }: FailureContext): ProviderError {
  const answer = serverAnswer(error);
  if (answer?.status !== undefined) {
    const { status, headers, message, isQuota } = answer;
    return statusError({ host, status, headers, message, isQuota, advice, redact });
  }
  if (isHeaderOverflow(error)) {
    const message = `${host} sent more header than Node.js takes, 16 KiB by default. If the server is right, raise it by --max-http-header-size.`;
    return new ProviderError("answer_too_large", message);
  }
  const reason = redact(deepestMessage(error));
  if (/timed out/i.test(reason)) return new ProviderError("timeout", `${host} did not answer in time: ${reason}`);
  if (isNetworkFailure(error)) return new ProviderError("connection", `${host} cannot be reached: ${reason}`);
  const hint = /\b(header|ByteString)\b/i.test(reason) ? " Check the characters of `apiKey` and `headers`." : "";
  return new ProviderError("bad_request", `The request to ${host} could not be made: ${reason}${hint}`);
}

/** The status and the body that the server sent, as the SDKs keep them in their `APIError`. */
interface ServerAnswer {
  status: number | undefined;
  headers: Headers | undefined;
  message: string;
  /** The code for an error without a status, which came inside a successful answer. */
  code: ProviderErrorCode;
  isQuota: boolean;
}

function serverAnswer(error: unknown): ServerAnswer | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, headers, error: body } = error as { status?: unknown; headers?: unknown; error?: unknown };
  if (typeof status !== "number" && body === undefined) return undefined;
  const { message, code, type } = detailsOf(body);
  return {
    status: typeof status === "number" ? status : undefined,
    headers: headers instanceof Headers ? headers : undefined,
    message: message || error.message,
    code: codeOfWords([type, code].map(String)),
    isQuota: code === "insufficient_quota" || type === "insufficient_quota" || type === "billing_error",
  };
}

/** The words of OpenAI, of Anthropic, and of gateways that send an HTTP status instead. */
const words: readonly [RegExp, ProviderErrorCode][] = [
  [/^(rate_limit|too_many_requests|insufficient_quota|tokens$|requests$|billing_error|402$|429$)/, "rate_limit"],
  [/^(overloaded|service_unavailable|engine_overloaded|slow_down|503$|529$)/, "overloaded"],
  [/^(authentication_error|invalid_api_key|401$)/, "authentication"],
  [/^(permission_error|403$)/, "permission"],
  [/^(not_found_error|model_not_found|404$)/, "not_found"],
  [/^(timeout|vector_store_timeout$|408$|504$)/, "timeout"],
  [/^(invalid_|image_|unsupported_|empty_image_file$|failed_to_download_image$|4\d\d$)/, "bad_request"],
  [/^(request_too_large|context_length_exceeded$|string_above_max_length$)/, "bad_request"],
  [/^(data_residency_mismatch|bio_policy|misalignment_policy_violation)$/, "bad_request"],
];

function codeOfWords(given: readonly string[]): ProviderErrorCode {
  for (const [pattern, code] of words) if (given.some((word) => pattern.test(word))) return code;
  return "server";
}

/** OpenAI's SDK keeps the field `error` of the body, Anthropic's keeps the whole body. */
function detailsOf(body: unknown): { message: string; code: unknown; type: unknown } {
  if (typeof body === "string") return { message: body, code: undefined, type: undefined };
  const outer = (body ?? {}) as { error?: unknown; message?: unknown; code?: unknown; type?: unknown };
  if (typeof outer.error === "object" && outer.error !== null) return detailsOf(outer.error);
  const message =
    typeof outer.message === "string" ? outer.message : typeof outer.error === "string" ? outer.error : "";
  return { message, code: outer.code, type: outer.type };
}

/** `fetch` and the SDKs keep the failure of a connection as the cause; an error about the request has no cause. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined;
}

/** Recognized by the codes of Node's `fetch` and of its HTTP parser. */
function isHeaderOverflow(error: unknown): boolean {
  const codes = ["UND_ERR_HEADERS_OVERFLOW", "HPE_HEADER_OVERFLOW"];
  return [...chain(error)].some((link) => "code" in link && codes.includes(String(link.code)));
}

/** `fetch failed` says nothing; its cause does, such as `connect ECONNREFUSED 127.0.0.1:11434`. */
function deepestMessage(error: unknown): string {
  const deepest = [...chain(error)].at(-1);
  return deepest ? deepest.message || deepest.name : String(error);
}
