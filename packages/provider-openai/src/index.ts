export { openai, openai as default } from "./openai.ts";
export type { OpenAIOptions, OpenAIWire } from "./options.ts";
export type { PresetName } from "./presets.ts";
