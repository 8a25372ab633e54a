import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { ProviderError, ProviderErrorCode } from "../errors.ts";

export interface ExpectedError {
  codes?: readonly ProviderErrorCode[];
  retryable?: boolean;
  /** Part of the message. */
  words?: string;
}

/**
 * Throws unless `error` is a ProviderError with these fields. Checks the shape and not the class, because the provider may
 * have loaded another copy of this package.
 */
export function assertProviderError(
  error: unknown,
  what: string,
  { codes, retryable, words = "" }: ExpectedError = {},
): asserts error is ProviderError {
  assert(error !== undefined, `${what}: a ProviderError was expected, and nothing was thrown.`);
  const isOurs = error instanceof Error && "code" in error && "retryable" in error && "partial" in error;
  assert(isOurs, `${what}: a ProviderError was expected, and this was thrown: ${String(error)}`);
  const { code, message, retryable: isRetryable } = error as ProviderError;
  assert(
    codes === undefined || codes.includes(code),
    `${what}: expected the code ${codes?.join(" or ")}, got ${code}: ${message}`,
  );
  assert(message.includes(words), `${what}: the message must hold the server's words, "${words}": ${message}`);
  if (retryable !== undefined) assertEqual(isRetryable, retryable, `${what}: \`retryable\` of "${message}"`);
}
