import { ProviderError } from "@cogency/provider";
import { excerpt } from "@cogency/provider/http";
import type { Endpoint } from "./endpoint/endpoint.ts";

/** A success that holds no event at all, and was none to begin with. */
export function noEventStream({ url, redact }: Endpoint, contentType: string): ProviderError {
  const told = excerpt(contentType, redact) || "no content type";
  const message = `${url.host} answered with ${told} where an event stream was expected. Check \`baseURL\`; it usually ends in /v1.`;
  return new ProviderError("bad_response", message);
}

export function unnamedCall(host: string, partial: string): ProviderError {
  return new ProviderError("bad_response", `${host} called a tool without saying which.`, { partial });
}
