import type { Flavor } from "./flavor.ts";

/** What is known beforehand of a server that speaks OpenAI's wire. */
export interface Preset {
  readonly baseURL: string;
  /** The environment variable of its key, and the beginning of the names of further ones; none for a server at home. */
  readonly keyVariable?: string;
  /** Absent where the user must say which: servers at home have what was loaded into them. */
  readonly model?: string;
  readonly flavor: Flavor;
}

export type PresetName = "ollama" | "llama.cpp" | "vllm" | "lmstudio" | "openrouter" | "deepseek";

const common: Flavor = { limitField: "max_tokens", echoReasoning: false };

export const presets: Readonly<Record<PresetName, Preset>> = {
  ollama: { baseURL: "http://localhost:11434/v1", flavor: common },
  // It serves one model and does not look at the name.
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
