export { aiSdk } from "./ai-sdk.ts";
export type { LanguageModel } from "./language-model.ts";
export type { AiSdkOptions } from "./options.ts";
