import type { Attachment, JsonObject } from "@cogency/protocol";
import {
  above,
  callback,
  group,
  having,
  listOf,
  name,
  type OptionTable,
  oneOf,
  required,
  text,
  whole,
} from "@cogency/protocol/options";
import type { ThinkingLevel } from "@cogency/provider";
import type { Limits, Timeouts } from "@cogency/provider/http";
import type { LanguageModel } from "./language-model.ts";

export interface AiSdkOptions {
  /** For requests that name no model: `anthropic("claude-sonnet-5-5")`, or one in middleware. */
  model: LanguageModel;
  /**
   * Makes the model of a request that names another one, such as the provider of the AI SDK itself: `models: anthropic`. It must be of
   * the same specification. Without it such a request throws `unsupported`.
   */
  models?: ((id: string) => LanguageModel) | undefined;
  /** Defaults to `ai-sdk:` and the model's provider: `ai-sdk:anthropic.messages`. */
  name?: string | undefined;
  /**
   * The `providerOptions` that ask for a level of thinking; undefined if there are none. For models of specification v3 and v2, whose
   * calls have no setting of their own. With v4 it takes the place of `reasoning`.
   */
  thinking?: ((level: ThinkingLevel) => JsonObject | undefined) | undefined;
  /** The kinds of attachments that the model takes. Defaults to images and files. */
  attachments?: readonly Attachment["kind"][] | undefined;
  /** Tokens that the model takes, those of its answer included. Defaults to unknown. */
  contextWindow?: number | undefined;
  /**
   * Values that no error may hold, such as the key of the model, which only the model knows and a server may quote. Of eight characters
   * or more each.
   */
  secrets?: readonly string[] | undefined;
  /** In milliseconds. */
  timeouts?: AiSdkTimeouts | undefined;
  /** The largest sizes of an answer that are accepted. */
  limits?: AiSdkLimits | undefined;
}

/**
 * Time limits, in milliseconds. `Infinity` is no limit. `firstByte` ends with the first part of the stream, and `idle` begins anew with
 * each part: what arrives between two parts is known to the model alone.
 */
type AiSdkTimeouts = Pick<Timeouts, "firstByte" | "idle" | "total">;

/** Sizes of an answer; beyond them the error is `answer_too_large`. A part without content counts as one character. */
type AiSdkLimits = Pick<Limits, "answerCharacters" | "calls" | "blocks" | "depth">;

const time = above(0, "milliseconds");
const limit = above(0);
const model = having("a language model of the AI SDK, such as `anthropic(…)` returns", "doStream");

/** What each option must be. */
export const optionKinds: OptionTable<AiSdkOptions> = {
  model: required(model),
  models: callback,
  name,
  thinking: callback,
  attachments: listOf(oneOf("image", "file"), 'an array of "image" and "file"'),
  contextWindow: whole(1),
  secrets: listOf(text, "an array of strings"),
  timeouts: group<AiSdkTimeouts>({ firstByte: time, idle: time, total: time }),
  limits: group<AiSdkLimits>({ answerCharacters: limit, calls: limit, blocks: limit, depth: limit }),
};
