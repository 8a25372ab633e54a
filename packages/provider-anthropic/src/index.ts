export { anthropic, anthropic as default } from "./anthropic.ts";
export type { AnthropicOptions } from "./options.ts";
