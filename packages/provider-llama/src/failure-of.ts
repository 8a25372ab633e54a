import { isProviderError, ProviderError } from "@cogency/provider";
import { firstLine } from "./engine/library.ts";

/** The failure of a request, with the text that came before it. */
export function failureOf(error: unknown, partial: string): ProviderError {
  if (isProviderError(error)) {
    const { code, message, retryable, cause } = error;
    return new ProviderError(code, message, { retryable, cause, partial: error.partial ?? partial });
  }
  const message = `The model failed: ${firstLine(error)}`;
  return new ProviderError("server", message, { retryable: false, cause: error, partial });
}
