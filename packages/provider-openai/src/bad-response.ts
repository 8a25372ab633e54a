import { ProviderError } from "@cogency/provider";

/** How the option `baseURL` ends, for the message to a user whose address leads elsewhere. */
export const baseURL = "it usually ends in /v1";

export function unnamedCall(host: string): ProviderError {
  return new ProviderError("bad_response", `${host} called a tool without naming it.`);
}
