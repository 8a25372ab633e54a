import { presets } from "./presets.ts";

/** The providers that are part of the app. */
export const providerNames: readonly string[] = ["offline", "openai", "anthropic", "google", "llama", ...presets];
