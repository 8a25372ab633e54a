import { flag, group, type OptionTable, text, whole } from "@cogency/protocol/options";
import { type ConnectionOptions, connectionKinds } from "@cogency/provider/http";

export interface GoogleOptions extends ConnectionOptions {
  /**
   * One key, or several to rotate when the server answers 429. Sent in the header `x-goog-api-key`, never in an address. If
   * the server is Google's or that of `GOOGLE_GEMINI_BASE_URL`, defaults to the environment variables `GEMINI_API_KEY`,
   * `GEMINI_API_KEY_1` and so on, else to `GOOGLE_API_KEY`. Any other server gets only the key that is given here.
   */
  apiKey?: string | readonly string[] | undefined;
  /** Defaults to `gemini-3.8-flash`. */
  model?: string | undefined;
  /**
   * The address below which `/v1beta/models` is; without user name and password. Defaults to `GOOGLE_GEMINI_BASE_URL`, else
   * to Google's own.
   */
  baseURL?: string | undefined;
  /** The wire's `thinkingConfig`. Defaults to the model's own setting, with which thoughts are not shown. */
  thinking?: GoogleThinking | undefined;
}

/** The wire's `thinkingConfig`. A model takes either a level or a budget. */
export interface GoogleThinking {
  /** Sends summaries of the thoughts, which become `reasoning`. */
  includeThoughts?: boolean;
  /** Since Gemini 3, such as `low` and `high`. */
  thinkingLevel?: string;
  /** Tokens; 0 is off and -1 leaves it to the model. */
  thinkingBudget?: number;
}

/** What each option must be. */
export const optionKinds: OptionTable<GoogleOptions> = {
  ...connectionKinds,
  thinking: group<GoogleThinking>({ includeThoughts: flag, thinkingLevel: text, thinkingBudget: whole(-1) }),
};
