import type { Flavor } from "./flavor.ts";

/** The settings of a known server that speaks OpenAI's wire. */
export interface Preset {
  readonly baseURL: string;
  /** The environment variable of its key; further keys have `_1` and so on appended. Absent for a local server. */
  readonly keyVariable?: string;
  /** Absent if the user must name one: a local server has only the models that were loaded into it. */
  readonly model?: string;
  readonly flavor: Flavor;
}

export type PresetName = "ollama" | "llama.cpp" | "vllm" | "lmstudio" | "openrouter" | "deepseek";

// Each of these servers leaves the thinking of some models in the content: those without a parser for the model, or with it switched off.
const common: Flavor = { limitField: "max_tokens", echoReasoning: false, thinkBlock: "leading" };

export const presets: Readonly<Record<PresetName, Preset>> = {
  ollama: { baseURL: "http://localhost:11434/v1", flavor: common },
  // The server has one model and ignores the name.
  "llama.cpp": { baseURL: "http://localhost:8080/v1", model: "default", flavor: common },
  vllm: { baseURL: "http://localhost:8000/v1", flavor: common },
  lmstudio: { baseURL: "http://localhost:1234/v1", flavor: common },
  openrouter: {
    baseURL: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    model: "openrouter/auto",
    flavor: common,
  },
  deepseek: {
    baseURL: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-chat",
    flavor: { ...common, echoReasoning: true },
  },
};
