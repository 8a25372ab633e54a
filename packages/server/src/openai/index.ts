export { createOpenAIHandler } from "./openai-handler.ts";
export type { OpenAIHandlerOptions, ToolsShown } from "./openai-handler-options.ts";
