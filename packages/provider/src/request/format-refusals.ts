import type { ProviderError } from "../errors.ts";

/** The formats that a server has refused, so that later requests leave them out. */
export interface FormatRefusals {
  has(model: string, format: unknown): boolean;
  add(model: string, format: unknown): void;
}

/** @returns one that knows at most 1,000 formats, and forgets the oldest */
export function createFormatRefusals(): FormatRefusals {
  const known = new Set<string>();
  const keyOf = (model: string, format: unknown) => JSON.stringify([model, format]);
  return {
    has: (model, format) => known.size > 0 && known.has(keyOf(model, format)),
    add(model, format) {
      known.add(keyOf(model, format));
      const [oldest] = known;
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
  };
}

const mostKnown = 1000;

/**
 * Whether a refusal is about the format of the answer, or the schema in it.
 *
 * - OpenAI, 400: `Invalid schema for response_format 'answer': …`; models without it: `'response_format' of type 'json_schema' is
 *   not supported with this model`
 * - Anthropic, 400: `output_config.format.schema: …`, `Schema is too complex …`
 * - Gemini, 400: `… response_json_schema …`, `The specified schema produces a constraint that has too many states for serving`, and
 *   often no more than `Request contains an invalid argument.`
 * - DeepSeek, 400 or 422: `This response_format type is unavailable now` (UKGovernmentBEIS/inspect_ai#4916)
 * - llama.cpp, 400: `JSON schema conversion failed: …` (ggml-org/llama.cpp#26930), `Failed to initialize samplers: failed to parse
 *   grammar` (ggml-org/llama.cpp#27580), `Cannot use custom grammar constraints with tools.`; llama-cpp-python answers 500
 *   (ggml-org/llama.cpp#23463)
 * - Ollama, 400 or 500: `invalid JSON schema in format` (ollama/ollama#8325), `failed to parse grammar` (ollama/ollama#18226)
 * - vLLM, 400: `The provided JSON schema contains features not supported by xgrammar.` (vllm-project/vllm#30390)
 * - LM Studio, 400: `'response_format.type' must be 'json_schema'` (lmstudio-ai/lmstudio-bug-tracker#307)
 */
export function refusesFormat({ status, code, message }: ProviderError): boolean {
  // Without a status it came inside an answer, in which some servers report what others refuse.
  const isRefusal = status === undefined ? code === "bad_request" || code === "server" : statuses.has(status);
  return isRefusal && !toolWords.test(message) && formatWords.test(message);
}

const statuses: ReadonlySet<number> = new Set([400, 422, 500, 501]);

/** The schema of a tool may be refused in the same words, and the format is not to blame. */
const toolWords = /invalid schema for function|\btools[.[]\d|input_schema|function_declarations|functionDeclarations/i;

const formatWords =
  /response_?format|(response|json)[ _-]?(json[ _-]?)?schema|\bschema\b.*\b(too complex|constraint)|output_(config|format)|text\.format|\bgrammars?\b|structured[ _-]?outputs?|structural[ _-]?tag|\bin format\b|guided_|Request contains an invalid argument/i;
