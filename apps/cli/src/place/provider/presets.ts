import type { PresetName } from "@cogency/provider-openai";

/** Servers that `--provider` knows by name and that speak OpenAI's wire. */
export const presets: readonly PresetName[] = [
  "ollama",
  "llama.cpp",
  "vllm",
  "sglang",
  "lmstudio",
  "openrouter",
  "deepseek",
];
