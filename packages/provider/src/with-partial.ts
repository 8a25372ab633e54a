import { ProviderError } from "./errors.ts";

/** The error with the text that was received before it, unless it knows of some already. */
export function withPartial(error: ProviderError, partial: string): ProviderError {
  if (error.partial !== undefined || partial === "") return error;
  const { code, message, status, retryable, retryAfter, cause } = error;
  return new ProviderError(code, message, { status, retryable, retryAfter, partial, cause });
}
