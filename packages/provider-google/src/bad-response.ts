import { ProviderError } from "@cogency/provider";
import { excerpt } from "@cogency/provider/http";
import type { Endpoint } from "./endpoint/endpoint.ts";

/** The server answered with success, but with something other than an event stream, such as a web page. */
export function noEventStream({ url, redact }: Endpoint, contentType: string): ProviderError {
  const received = excerpt(contentType, redact) || "no content type";
  const message = `${url.host} answered with ${received} where an event stream was expected. Check \`baseURL\`; it ends before /v1beta.`;
  return new ProviderError("bad_response", message);
}

/** The answer has several candidates, of which only one could be told. */
export function severalCandidates(host: string): ProviderError {
  const message = `${host} answered with several candidates: an answer has one. Leave \`candidateCount\` out.`;
  return new ProviderError("bad_response", message);
}

/** The arguments of a call come in pieces, which servers of Vertex AI send if a request asks for it. */
export function argumentsInPieces(host: string): ProviderError {
  const message = `${host} sends the arguments of a call in pieces, which is not supported. Leave \`streamFunctionCallArguments\` out.`;
  return new ProviderError("unsupported", message);
}
