import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import type { LanguageModel } from "./language-model.ts";

/** Every model of the AI SDK is one. */
export const models = (v4: LanguageModelV4, v3: LanguageModelV3, v2: LanguageModelV2): LanguageModel[] => [v4, v3, v2];

// @ts-expect-error The gateway of the AI SDK makes models of names; here nothing does.
export const name: LanguageModel = "anthropic/claude-sonnet-5-5";
