export { aiSdk } from "./ai-sdk.ts";
export type { LanguageModel, ModelStream, SupportedUrls } from "./language-model.ts";
export type { AiSdkLimits, AiSdkOptions, AiSdkTimeouts } from "./options.ts";
