import type { Attachment } from "@cogency/protocol";
import { flag, listOf, type OptionTable, oneOf, text } from "@cogency/protocol/options";
import { type ConnectionOptions, connectionKinds } from "@cogency/provider/http";
import type { ThinkBlock } from "./chat/leading-thinking.ts";
import type { GrammarField } from "./grammar.ts";
import type { PresetName } from "./presets.ts";

/** `chat`: Chat Completions. `responses`: the Responses API. `realtime`: the Realtime API, whose server keeps the conversation. */
export type OpenAIWire = "chat" | "responses" | "realtime";

export interface OpenAIOptions extends ConnectionOptions {
  /** The wire to use. Defaults to `responses` on OpenAI's own host, and to `chat` elsewhere. */
  api?: OpenAIWire | undefined;
  /** A known server: its address, the variable of its key, and how its wire differs from OpenAI's. */
  preset?: PresetName | undefined;
  /**
   * One key, or several to rotate when the server answers 429. Defaults to the environment variables `OPENAI_API_KEY`,
   * `OPENAI_API_KEY_1` and so on, if the server is OpenAI's or that of `OPENAI_BASE_URL`; with a preset to the variable of
   * that preset, if the server is the preset's. Any other server gets only the key that is given here.
   */
  apiKey?: string | readonly string[] | undefined;
  /** Defaults to `gpt-5.5`, with `realtime` to `gpt-realtime`. A preset may have another default or demand a model. */
  model?: string | undefined;
  /**
   * The address below which the server's paths begin, usually ending in `/v1`; without user name and password. Defaults to
   * the preset's, else to `OPENAI_BASE_URL`, else to OpenAI's own.
   */
  baseURL?: string | undefined;
  organization?: string | undefined;
  /** Replaces the global `fetch`. Realtime does not use it. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Sends `reasoning_content` with every assistant message, empty if there is none: some servers demand it. Defaults to the
   * preset's setting; without one it is sent once the server has demanded it.
   */
  echoReasoning?: boolean | undefined;
  /**
   * Whether the content of an answer may hold thinking, which then is reasoning and no part of the text: `"leading"`, a block such as
   * `<think>…</think>` at its beginning; `"begun"`, from the beginning up to `</think>`, for templates that write the opening tag into
   * the prompt; `"none"`. Defaults to `"none"` at OpenAI, and to `"leading"` elsewhere. Chat Completions only.
   */
  thinkBlock?: ThinkBlock | undefined;
  /**
   * How the server binds an answer of the text protocol to a grammar, so that its calls cannot be malformed: `"gbnf"`, `"structured_outputs"`
   * or `"response_format"`; `"none"` leaves answers free. Defaults to the preset's: `"gbnf"` with `llama.cpp`, `"structured_outputs"` with
   * `vllm`, `"response_format"` with `sglang`; else `"none"`. A server that refuses it is asked without. Chat Completions only.
   */
  grammar?: GrammarField | undefined;
  /**
   * The kinds of attachments that the model takes: a request with another one is not made. Defaults to images and files; with a
   * preset, and at other servers than OpenAI's, to images. Give `[]` for a model that reads text alone. Realtime takes none.
   */
  attachments?: readonly Attachment["kind"][] | undefined;
}

/** What each option must be. Which wires and presets there are is checked where they are chosen. */
export const optionKinds: OptionTable<OpenAIOptions> = {
  ...connectionKinds,
  api: text,
  preset: text,
  organization: text,
  echoReasoning: flag,
  thinkBlock: oneOf("leading", "begun", "none"),
  grammar: oneOf("gbnf", "structured_outputs", "response_format", "none"),
  attachments: listOf(oneOf("image", "file")),
};
