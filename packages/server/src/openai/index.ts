export { createOpenAIHandler } from "./openai-handler.ts";
export type { OpenAIOptions, ToolsShown } from "./openai-options.ts";
