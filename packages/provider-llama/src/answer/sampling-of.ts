import { checkOptions } from "@cogency/protocol/options";
import { type ModelRequest, ProviderError } from "@cogency/provider";
import { type LlamaOptions, type Sampling, samplingKinds } from "../options.ts";

/** How the tokens of an answer are chosen. @throws ProviderError `bad_request` if the request's own `options` are wrong */
export function samplingOf(options: LlamaOptions, { temperature, options: own = {} }: ModelRequest): Sampling {
  try {
    checkOptions<Sampling>("`options` of a request to llama", own as Sampling, samplingKinds);
  } catch (cause) {
    throw new ProviderError("bad_request", (cause as Error).message, { cause });
  }
  return { ...options, ...(temperature !== undefined && { temperature }), ...(own as Sampling) };
}
