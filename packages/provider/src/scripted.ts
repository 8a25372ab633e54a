import { wait } from "@cogency/async";
import type { FinishReason, Usage } from "@cogency/protocol";
import { atLeast, checkOptions, flag, group, listOf, oneOf, text, whole } from "@cogency/protocol/options";
import { isProviderError, withPartial } from "./errors.ts";
import { eventProblem } from "./event-problem.ts";
import type { Capabilities, ModelEvent, ModelRequest, Provider, StreamOptions } from "./provider.ts";
import { estimateUsage } from "./usage/estimate-usage.ts";

/** The scripted model's reply to one request, or a function that returns it. */
export type ScriptedStep = ScriptedReply | ((request: ModelRequest) => ScriptedReply);

/** A text, its pieces, or all the details. */
export type ScriptedReply = string | readonly string[] | ScriptedResponse;

export interface ScriptedResponse {
  /** Text, played before `events`. */
  chunks?: string | readonly string[];
  /** Events of any kind. A `usage` or `finish` among them replaces the model's own. */
  events?: readonly ModelEvent[];
  /** Milliseconds before each piece. Defaults to 0. */
  delay?: number;
  /** Defaults to an estimate from the characters, marked `estimated`. */
  usage?: Usage;
  /** Defaults to `tool_calls` if `events` hold a tool call, else to `stop`. */
  finish?: FinishReason;
  /** Thrown instead of the finish. A ProviderError without `partial` gets the text that was played. */
  error?: Error;
  /** The number of pieces played before `error`. Defaults to all. */
  errorAfter?: number;
  /** After the pieces, waits until the request is aborted. */
  hang?: true;
}

export interface ScriptedOptions {
  /** Cuts every text into pieces of this many UTF-16 code units, 1 or more, even inside a surrogate pair. */
  chunkSize?: number;
  /** Defaults to `scripted`. */
  name?: string;
  /** Defaults to `scripted-1`. */
  model?: string;
  /** Each defaults to false. */
  capabilities?: Partial<Capabilities>;
}

export interface ScriptedProvider extends Provider {
  /** Copies of the requests as they were sent. */
  readonly requests: readonly ModelRequest[];
  /** @throws ScriptError `unused_steps` if a step was not played */
  assertDone(): void;
}

/**
 * - `unexpected_request`: a request came after the last step
 * - `unused_steps`: steps are left that no request has played
 */
export type ScriptErrorCode = "unexpected_request" | "unused_steps";

/** The code under test and the script disagree about the number of requests. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly code: ScriptErrorCode;

  constructor(code: ScriptErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A model for tests that plays the given steps in order, one for each request. A request counts once its stream is read.
 *
 * @throws RangeError if `chunkSize` is less than 1
 * @throws TypeError if a step holds something other than texts and events; from `stream` if a function returned it
 * @throws ScriptError `unexpected_request` from `stream` after the last step
 */
export function scripted(steps: readonly ScriptedStep[], options: ScriptedOptions = {}): ScriptedProvider {
  checkOptions<ScriptedOptions>("scripted", options, {
    chunkSize: atLeast(1),
    name: text,
    model: text,
    capabilities: group<Capabilities>({
      contextWindow: whole(1),
      tools: flag,
      session: flag,
      reasoning: flag,
      thinking: flag,
      format: flag,
      grammar: flag,
      attachments: listOf(oneOf("image", "file")),
    }),
  });
  const { chunkSize } = options;
  for (const [index, step] of steps.entries()) if (typeof step !== "function") checkReply(step, index);
  const requests: ModelRequest[] = [];

  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const step = steps[requests.length];
    requests.push(structuredClone(request));
    if (step === undefined) throw unexpected(requests, steps.length);
    const reply = typeof step === "function" ? step(request) : step;
    checkReply(reply, requests.length - 1);
    const response = toResponse(reply);
    yield* play(response, request, chunkSize, signal);
  }

  return {
    name: options.name ?? "scripted",
    model: options.model ?? "scripted-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false, ...options.capabilities },
    requests,
    stream,
    assertDone() {
      const unused = steps.length - requests.length;
      if (unused > 0) {
        throw new ScriptError("unused_steps", `${unused} of ${steps.length} scripted steps were never asked for.`);
      }
    },
  };
}

/** Repeats the checks of the types, for tests that are not type-checked: `undefined` would be played as a text. */
function checkReply(reply: ScriptedReply, index: number): void {
  if (typeof reply !== "string" && (typeof reply !== "object" || reply === null)) {
    throw new TypeError(
      `Step ${index + 1} of the script is ${String(reply)}: it must be a string, a list of strings or an object.`,
    );
  }
  const { chunks = [], events = [] } = toResponse(reply);
  const wrong = typeof chunks === "string" ? undefined : chunks.findIndex((chunk) => typeof chunk !== "string");
  if (wrong !== undefined && wrong !== -1) {
    const place = `Chunk ${wrong + 1} of step ${index + 1} of the script`;
    throw new TypeError(`${place} is ${String(chunks[wrong])}: it must be a string.`);
  }
  for (const [number, event] of events.entries()) {
    const problem = eventProblem(event);
    if (problem) throw new TypeError(`Event ${number + 1} of step ${index + 1} of the script: ${problem}`);
  }
}

function unexpected(requests: readonly ModelRequest[], steps: number): ScriptError {
  const last = requests.at(-1)?.messages.at(-1);
  const asked = last ? ` Its last message: ${JSON.stringify(last).slice(0, 200)}` : "";
  return new ScriptError(
    "unexpected_request",
    `Request ${requests.length} came, but the script has ${steps} steps.${asked}`,
  );
}

function toResponse(reply: ScriptedReply): ScriptedResponse {
  return typeof reply === "string" || isPieces(reply) ? { chunks: reply } : reply;
}

function isPieces(reply: Exclude<ScriptedReply, string>): reply is readonly string[] {
  return Array.isArray(reply);
}

async function* play(
  response: ScriptedResponse,
  request: ModelRequest,
  chunkSize: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent> {
  const { delay = 0, error, errorAfter = Number.POSITIVE_INFINITY, hang } = response;
  let text = "";
  let reasoning = "";
  let usage = response.usage;
  let finish: ModelEvent = { type: "finish", reason: response.finish ?? finishReason(response) };

  for (const [index, piece] of pieces(response, chunkSize).entries()) {
    if (error && index >= errorAfter) break;
    await wait(delay, signal);
    if (signal?.aborted) return yield aborted;
    if (piece.type === "usage") usage = piece.usage;
    else if (piece.type === "finish") finish = piece;
    else yield piece;
    if (piece.type === "text") text += piece.text;
    if (piece.type === "reasoning") reasoning += piece.text;
  }

  if (hang && !error) await wait(Number.POSITIVE_INFINITY, signal);
  if (signal?.aborted) return yield aborted;
  if (error) throw isProviderError(error) ? withPartial(error, text) : error;
  yield { type: "usage", usage: usage ?? estimateUsage(request, text + reasoning) };
  yield finish;
}

const aborted: ModelEvent = { type: "finish", reason: "aborted" };

function finishReason({ events = [] }: ScriptedResponse): FinishReason {
  return events.some((event) => event.type === "tool_call") ? "tool_calls" : "stop";
}

function pieces({ chunks = [], events = [] }: ScriptedResponse, size: number | undefined): ModelEvent[] {
  const texts = typeof chunks === "string" ? [chunks] : chunks;
  return [...texts.map((text): ModelEvent => ({ type: "text", text })), ...events].flatMap((event): ModelEvent[] =>
    size !== undefined && event.type === "text"
      ? cut(event.text, size).map((text) => ({ type: "text", text }))
      : [event],
  );
}

function cut(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += size) parts.push(text.slice(start, start + size));
  return parts;
}
