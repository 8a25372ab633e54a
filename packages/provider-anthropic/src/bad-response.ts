import { ProviderError } from "@cogency/provider";
import { excerpt } from "@cogency/provider/http";
import type { Endpoint } from "./endpoint/endpoint.ts";

/** The server answered with success, but with something other than an event stream, such as a web page. */
export function noEventStream({ url, redact }: Endpoint, contentType: string): ProviderError {
  const received = excerpt(contentType, redact) || "no content type";
  const message = `${url.host} answered with ${received} where an event stream was expected. Check \`baseURL\`; it ends before /v1.`;
  return new ProviderError("bad_response", message);
}
