import type { FinishReason, Json, JsonObject, JsonSchema, ModelMessage, ToolSpec, Usage } from "@cogency/protocol";
import type { ProviderErrorCode } from "./errors.ts";

/**
 * A model behind one wire. A provider turns a request into a stream of small events and knows nothing of tools
 * being run, of the text protocol, or of storage.
 */
export interface Provider {
  /** Who serves the model: `openai`, `anthropic`, `offline`. */
  readonly name: string;
  /** The model that a request without `model` of its own is sent to. */
  readonly model: string;
  readonly capabilities: Capabilities;

  /**
   * One streaming request.
   *
   * INVARIANT: exactly one `finish` event, and it is the last.
   * INVARIANT: after an abort the last event is `finish` with reason `aborted`, and nothing is thrown.
   * INVARIANT: leaving the iteration early closes the connection.
   * @throws ProviderError for every other failure, with the text received so far in `partial`
   */
  stream(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent>;

  /** One non-streaming request. Without it, `generate()` of this package collects `stream`. */
  generate?(request: ModelRequest, options?: StreamOptions): Promise<ModelEvent[]>;

  /**
   * Open a session that keeps the conversation on the provider's side (mode `resume`). `request.messages` is what was
   * said until now.
   *
   * @throws ProviderError if it cannot be opened
   */
  connect?(request: ModelRequest, options?: ConnectOptions): Promise<Session>;
}

export interface StreamOptions {
  signal?: AbortSignal | undefined;
}

export interface ConnectOptions extends StreamOptions {
  /** Called before each wait: there is no stream yet that could tell of a retry. */
  onRetry?: ((retry: RetryEvent) => void) | undefined;
}

/** A conversation that the provider's side remembers. */
export interface Session {
  /**
   * Say something as the user, such as the results of a batch, and receive the answer, as from `stream` and with the
   * same invariants. One at a time.
   *
   * INVARIANT: what was not answered to the end – the send was aborted, was left early or failed – is not part of the
   * conversation: the next `send` goes on as if it had never been.
   * INVARIANT: a session that expires or loses its connection between two sends is opened anew by the next one, with all
   * that was said.
   */
  send(text: string, options?: StreamOptions): AsyncIterable<ModelEvent>;
  /** Close the connection; a send that is under way ends as if it was aborted. */
  close(): Promise<void>;
}

export interface Capabilities {
  /** Native tool calling. */
  readonly tools: boolean;
  /** `connect` is there. */
  readonly session: boolean;
  /** Reasoning arrives apart from text. */
  readonly reasoning: boolean;
  /** `format` constrains the output. */
  readonly format: boolean;
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
  /** JSON Schema that the whole answer must match. */
  format?: JsonSchema;
  /** Fields of the provider's own wire, passed through as they are. */
  options?: JsonObject;
}

export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool_call_delta"; index: number; id?: string; name?: string; arguments: string }
  | { type: "tool_call"; id: string; name: string; arguments: string }
  | { type: "usage"; usage: Usage }
  | RetryEvent
  | { type: "finish"; reason: FinishReason; raw?: string; native?: Json };

/** The request failed before anything came of it, and is made again `delay` milliseconds from now. */
export interface RetryEvent {
  type: "retry";
  /** How many tries have failed by now, also those that a provider inside of this one has made. */
  attempt: number;
  delay: number;
  code: ProviderErrorCode;
  message: string;
}
