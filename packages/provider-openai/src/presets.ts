import type { Flavor } from "./flavor.ts";
import { grammarRules, openaiRules } from "./schema-rules.ts";

/** The settings of a known server that speaks OpenAI's wire. */
export interface Preset {
  readonly baseURL: string;
  /** The environment variable of its key; further keys have `_1` and so on appended. Absent for a local server. */
  readonly keyVariable?: string;
  /** Absent if the user must name one: a local server has only the models that were loaded into it. */
  readonly model?: string;
  readonly flavor: Flavor;
}

export type PresetName = "ollama" | "llama.cpp" | "vllm" | "sglang" | "lmstudio" | "openrouter" | "deepseek";

/** OpenAI's own server: https://platform.openai.com/docs/api-reference/chat/create. */
export const ownFlavor: Flavor = {
  limitField: "max_completion_tokens",
  echoReasoning: false,
  thinkBlock: "none",
  // Any order of roles is taken, and messages stay apart.
  alternatesRoles: false,
  format: "json_schema",
  schema: openaiRules,
  choosesByName: true,
  grammar: "none",
};

/**
 * Every other server, whatever it is: what all of them take. Azure OpenAI has OpenAI's rules for schemas
 * (https://learn.microsoft.com/azure/ai-services/openai/how-to/structured-outputs), and these are a part of them.
 */
export const commonFlavor: Flavor = {
  limitField: "max_tokens",
  echoReasoning: false,
  // Each server leaves the thinking of some models in the content: without a parser for the model, or with it switched off.
  thinkBlock: "leading",
  // The template of a model decides: those of Mistral and Gemma refuse other orders (vllm-project/vllm#6862,
  // huggingface/text-generation-inference#3198).
  alternatesRoles: true,
  format: "json_schema",
  schema: grammarRules,
  choosesByName: true,
  grammar: "none",
};

export const presets: Readonly<Record<PresetName, Preset>> = {
  // Templates, and grammars from schemas: ollama/ollama#8325.
  ollama: { baseURL: "http://localhost:11434/v1", flavor: commonFlavor },
  // Templates, and grammars from schemas: ggml-org/llama.cpp#26930. The server has one model and ignores the name.
  "llama.cpp": { baseURL: "http://localhost:8080/v1", model: "default", flavor: { ...commonFlavor, grammar: "gbnf" } },
  // Templates (vllm-project/vllm#6862), and xgrammar: vllm-project/vllm#30390.
  vllm: { baseURL: "http://localhost:8000/v1", flavor: { ...commonFlavor, grammar: "structured_outputs" } },
  // The same library of grammars, and a field of its own: https://docs.sglang.io/advanced_features/structured_outputs.html.
  sglang: { baseURL: "http://localhost:30000/v1", flavor: { ...commonFlavor, grammar: "response_format" } },
  // `Invalid tool_choice type: 'object'`: lmstudio-ai/lmstudio-bug-tracker#670.
  lmstudio: { baseURL: "http://localhost:1234/v1", flavor: { ...commonFlavor, choosesByName: false } },
  // Passes requests on to servers with rules of their own: charmbracelet/crush#279.
  openrouter: {
    baseURL: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    model: "openrouter/auto",
    flavor: commonFlavor,
  },
  // `This response_format type is unavailable now` for `json_schema`: UKGovernmentBEIS/inspect_ai#4916, and
  // https://api-docs.deepseek.com/guides/json_mode.
  deepseek: {
    baseURL: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-chat",
    flavor: { ...commonFlavor, echoReasoning: true, format: "json_object" },
  },
};
