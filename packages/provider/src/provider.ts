import type {
  Attachment,
  FinishReason,
  Json,
  JsonObject,
  JsonSchema,
  ModelMessage,
  ToolSpec,
  Usage,
} from "@cogency/protocol";
import type { TurnLanguage } from "@cogency/protocol/grammar";
import type { ProviderErrorCode } from "./errors.ts";
import type { ThinkingLevel } from "./thinking-level.ts";

/**
 * A model behind one wire. A provider turns a request into a stream of small events. It runs no tools and knows neither
 * the text protocol nor storage.
 */
export interface Provider {
  /** The name of the service: `openai`, `anthropic`, `offline`. */
  readonly name: string;
  /** The model for requests that name none. */
  readonly model: string;
  readonly capabilities: Capabilities;

  /**
   * Makes one streaming request.
   *
   * INVARIANT: exactly one `finish` event, and it is the last.
   * INVARIANT: after an abort the last event is `finish` with reason `aborted`, and nothing is thrown.
   * INVARIANT: leaving the iteration early closes the connection.
   * @throws ProviderError for every other failure, with the text received so far in `partial`
   */
  stream(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent>;

  /** Makes one non-streaming request. If absent, `generate()` of this package collects `stream`. */
  generate?(request: ModelRequest, options?: StreamOptions): Promise<ModelEvent[]>;

  /**
   * Opens a session that keeps the conversation on the provider's side (mode `resume`). `request.messages` is the
   * conversation so far.
   *
   * @throws ProviderError if the session cannot be opened
   */
  connect?(request: ModelRequest, options?: ConnectOptions): Promise<Session>;
}

export interface StreamOptions {
  signal?: AbortSignal | undefined;
}

export interface ConnectOptions extends StreamOptions {
  /** Called before each wait, because no stream exists yet that could carry a `retry` event. */
  onRetry?: ((retry: RetryEvent) => void) | undefined;
}

/** A conversation that is kept on the provider's side. */
export interface Session {
  /**
   * Sends a message of the user, such as the results of a batch, and streams the answer as `stream` does, with the same
   * invariants. One send at a time.
   *
   * INVARIANT: a message whose answer did not complete – the send was aborted, was left early or failed – is not part of
   * the conversation, and neither is that answer.
   * INVARIANT: if a session expires or loses its connection between two sends, the next send opens it again with the whole
   * conversation.
   */
  send(text: string, options?: StreamOptions): AsyncIterable<ModelEvent>;
  /** Closes the connection. A send that is under way ends as an aborted one does. */
  close(): Promise<void>;
}

export interface Capabilities {
  /** Native tool calling. */
  readonly tools: boolean;
  /** `connect` exists. */
  readonly session: boolean;
  /** Reasoning arrives separately from text. */
  readonly reasoning: boolean;
  /** `format` constrains the output. */
  readonly format: boolean;
  /** The kinds of attachments that messages may hold. Defaults to none. */
  readonly attachments?: readonly Attachment["kind"][];
  /** `thinking` of a request is asked for. Defaults to false: it is ignored. */
  readonly thinking?: boolean;
  /** `grammar` of a request binds the model: its answer is in that language. Defaults to false: it is ignored. */
  readonly grammar?: boolean;
  /** Tokens that the model takes, those of its answer included. Absent if the provider does not know. */
  readonly contextWindow?: number;
}

export interface ModelRequest {
  system: string;
  messages: readonly ModelMessage[];
  /** Native tools; the text protocol teaches its tools in `system` instead. */
  tools?: readonly ToolSpec[];
  toolChoice?: "auto" | "required" | "none" | { name: string };
  /** Overrides the provider's own `model` for this request. */
  model?: string;
  stop?: readonly string[];
  maxOutputTokens?: number;
  temperature?: number;
  /**
   * How much the model thinks before it answers. Defaults to the model's own setting. A server that refuses it is asked without, which an
   * `ignored` event tells.
   */
  thinking?: ThinkingLevel;
  /** JSON Schema that the whole answer must match. */
  format?: JsonSchema;
  /**
   * The language that the whole answer is in, for models that can be bound to one. A server that refuses it is asked without, which an
   * `ignored` event tells.
   */
  grammar?: TurnLanguage;
  /** Fields of the provider's own wire, passed through unchanged. */
  options?: JsonObject;
}

/**
 * One event of an answer.
 *
 * @example an answer with one native tool call
 * { type: "tool_call_delta", index: 0, id: "call_1", name: "read", arguments: "" }
 * { type: "tool_call_delta", index: 0, arguments: "{\"file\":\"notes.txt\"}" }
 * { type: "tool_call", id: "call_1", name: "read", arguments: "{\"file\":\"notes.txt\"}" }
 * { type: "usage", usage: { input: 90, output: 12, cacheRead: 0, cacheWrite: 0, reasoning: 0 } }
 * { type: "finish", reason: "tool_calls", raw: "tool_calls" }
 */
export type ModelEvent =
  /** A piece of the reply. */
  | { type: "text"; text: string }
  /** A piece of reasoning, if the wire separates it from text. */
  | { type: "reasoning"; text: string }
  /** A piece of a native tool call, for display. `index` is the position of the call in the answer, counted from 0. */
  | { type: "tool_call_delta"; index: number; id?: string; name?: string; arguments: string }
  /** A whole native tool call, after its deltas. `arguments` is JSON text, `{}` if there are none. */
  | { type: "tool_call"; id: string; name: string; arguments: string }
  /** At most one, directly before `finish`. Marked `estimated` after an abort. */
  | { type: "usage"; usage: Usage }
  | RetryEvent
  | IgnoredEvent
  /** `raw` is the server's own word; `native` comes back as `message.native` with later requests. */
  | { type: "finish"; reason: FinishReason; raw?: string; native?: Json };

/** The request failed before its first event, and is made again after `delay` milliseconds. */
export interface RetryEvent {
  type: "retry";
  /** The number of tries that have failed so far, including those of a wrapped provider. */
  attempt: number;
  delay: number;
  code: ProviderErrorCode;
  message: string;
}

/** The server does not take a setting of the request, and was asked without it, or for the nearest that it has. */
export interface IgnoredEvent {
  type: "ignored";
  setting: "thinking" | "grammar";
  message: string;
}
