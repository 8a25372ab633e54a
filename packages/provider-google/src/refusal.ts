import { ProviderError } from "@cogency/provider";
import { excerpt, parseJSON, statusError } from "@cogency/provider/http";
import type { Endpoint } from "./endpoint.ts";
import { type ServerFailure, serverFailure } from "./server-failure.ts";

/** The error of an answer whose status is no success. */
export async function refusal(response: Response, endpoint: Endpoint): Promise<ProviderError> {
  const { status, headers, statusText } = response;
  const { url, advice, redact } = endpoint;
  // A body that breaks off takes nothing away from the status.
  const text = await response.text().catch(() => "");
  const failure = serverFailure(parsedBody(text, endpoint));
  const message = failure?.message ?? (text.trim() || statusText);
  if (status === 400 && failure?.isKeyRefused) return keyRefused(message, endpoint);
  const isQuota = failure?.isQuota === true;
  const error = statusError({ host: url.host, status, headers, message, isQuota, advice, redact });
  return error.retryAfter === undefined ? after(error, failure?.retryAfter) : error;
}

/** The error of a failure that the server reports in the middle of a successful answer. */
export function brokenOff(failure: ServerFailure, { url, redact }: Endpoint): ProviderError {
  const { host } = url;
  const { status = 500, message, isQuota, retryAfter } = failure;
  const { code, retryable } = statusError({ host, status, message, isQuota });
  const words = `${host} broke its answer off: ${excerpt(message, redact)}`;
  return new ProviderError(code, words, { retryable, retryAfter });
}

function parsedBody(text: string, { url, limits }: Endpoint): unknown {
  try {
    return parseJSON(text, url.host, limits);
  } catch {
    return undefined;
  }
}

function keyRefused(message: string, { url, redact }: Endpoint): ProviderError {
  const words = `${url.host} does not accept the API key; check \`apiKey\` (HTTP 400): ${excerpt(message, redact)}`;
  return new ProviderError("authentication", words, { status: 400 });
}

function after({ code, message, status, retryable }: ProviderError, retryAfter: number | undefined): ProviderError {
  return new ProviderError(code, message, { status, retryable, retryAfter });
}
