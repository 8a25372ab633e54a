import type { Limits, Timeouts } from "@cogency/provider/http";
import type { PresetName } from "./presets.ts";

/** `chat`: Chat Completions. `responses`: the Responses API. `realtime`: Realtime, which keeps the conversation. */
export type OpenAIWire = "chat" | "responses" | "realtime";

export interface OpenAIOptions {
  /** `responses` on OpenAI's own host, `chat` elsewhere. */
  api?: OpenAIWire | undefined;
  /** A server that is known: its address, the variable of its key, and in what it differs from OpenAI's. */
  preset?: PresetName | undefined;
  /**
   * One key, or several to rotate when the server answers 429. By default the environment variable `OPENAI_API_KEY`,
   * `OPENAI_API_KEY_1` and so on, if the server is OpenAI's or that of `OPENAI_BASE_URL`; with a preset the variable of
   * that preset, if the server is the preset's. Any other server gets the key that is given here, or none.
   */
  apiKey?: string | readonly string[] | undefined;
  /** `gpt-5.5` by default, `gpt-realtime` with `realtime`; a preset may have another or demand one. */
  model?: string | undefined;
  /**
   * Where the server's paths begin, usually up to `/v1`; without user name and password. By default the preset's, else
   * `OPENAI_BASE_URL`, else OpenAI's own.
   */
  baseURL?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  organization?: string | undefined;
  /**
   * Send key, headers and query over plain http to another machine, where everybody on the way can read them. Without it
   * that is refused.
   */
  allowInsecure?: boolean | undefined;
  /** Takes the place of the global `fetch`; Realtime does not use it. */
  fetch?: typeof globalThis.fetch | undefined;
  /** In milliseconds; see `Timeouts` for each. */
  timeouts?: Timeouts | undefined;
  /** How much of an answer is taken; see `Limits` for each. */
  limits?: Limits | undefined;
  /**
   * Send `reasoning_content` with every assistant message, empty where there is none: some servers demand it. By default
   * as the preset says, else once the server has said so.
   */
  echoReasoning?: boolean | undefined;
}
