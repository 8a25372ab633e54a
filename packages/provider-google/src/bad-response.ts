import { ProviderError } from "@cogency/provider";

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
