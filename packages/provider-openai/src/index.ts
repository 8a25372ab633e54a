export { openai, openai as default } from "./openai.ts";
export type { OpenAIOptions } from "./options.ts";
