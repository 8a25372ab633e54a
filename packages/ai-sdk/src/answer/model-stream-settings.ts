import type { CompleteLimits, CompleteTimeouts } from "@cogency/provider/http";
import type { LanguageModel } from "../language-model.ts";

/** What the stream of a provider knows of its models. */
export interface ModelStreamSettings {
  /** The provider, for messages and for its native blocks. */
  readonly name: string;
  /** @throws ProviderError if there is no such model */
  modelOf(id: string | undefined): LanguageModel;
  readonly timeouts: CompleteTimeouts;
  readonly limits: CompleteLimits;
  /** Removes secrets from a text. */
  redact(text: string): string;
}
