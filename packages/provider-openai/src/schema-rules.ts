import type { SchemaRules } from "@cogency/provider/http";

/**
 * Structured Outputs of OpenAI: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. A schema that is not
 * strict, and the parameters of tools, may have every keyword.
 */
export const openaiRules: SchemaRules = {
  takes(keyword, value, isStrict) {
    if (!isStrict) return true;
    // Neither looking around nor back is possible in the grammar.
    if (keyword === "pattern") return typeof value === "string" && !/\(\?[=!<]|\\[1-9kbB]/.test(value);
    if (keyword === "format") return formats.has(value);
    return ranges.has(keyword);
  },
  requiresAllKeys: true,
  takesMaps: false,
  takesTuples: false,
  recursion: "everywhere",
  limits: { keys: 5000, depth: 10, enumValues: 1000, enumText: 15_000, text: 120_000 },
};

const formats: ReadonlySet<unknown> = new Set([
  ...["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
]);

const ranges: ReadonlySet<string> = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"],
]);

/**
 * What OpenAI's rules and the grammars of local servers have in common. Those refuse patterns, also in the parameters of tools:
 *
 * - llama.cpp and LM Studio: `Pattern must start with '^' and end with '$'` (ggml-org/llama.cpp#26930), `failed to parse grammar`
 *   for `\d` and `\w` (ggml-org/llama.cpp#27580)
 * - Ollama: `invalid JSON schema in format` (ollama/ollama#8325), `failed to parse grammar` (ollama/ollama#18226)
 * - vLLM: `features not supported by xgrammar`, such as `multipleOf`, `uniqueItems` and most formats (vllm-project/vllm#30390)
 *
 * Choices of types and of null are `anyOf` on every wire, because LM Studio refuses a list of types: `'type' must be a string`
 * (lmstudio-ai/lmstudio-bug-tracker#909).
 */
export const grammarRules: SchemaRules = {
  ...openaiRules,
  takes(keyword, value, isStrict) {
    if (refused.has(keyword)) return false;
    if (!isStrict) return true;
    // A grammar repeats the rule of an item as often.
    const isLong = (keyword === "minItems" || keyword === "maxItems") && Number(value) > 1000;
    return ranges.has(keyword) && !isLong;
  },
};

const refused: ReadonlySet<string> = new Set(["pattern", "multipleOf", "uniqueItems", "minContains", "maxContains"]);
