import { abandonable } from "@cogency/async";
import {
  createParser,
  type FinishReason,
  type Json,
  type ParserEvent,
  protocolPrompt,
  toMessages,
  type Usage,
} from "@cogency/protocol";
import { estimateUsage, type ModelRequest, ProviderError, type RetryEvent, zeroUsage } from "@cogency/provider";
import { RunError } from "../errors.ts";
import type { SessionFailed } from "../session/session-line.ts";
import type { Driver, StepContext, StepEvent } from "./driver.ts";
import { askModel, soundEvents } from "./model-answer.ts";
import { createReasoning, type Reasoning } from "./reasoning.ts";

export interface ProtocolDriverOptions {
  /** The dialect in which the model writes calls. Defaults to `"json"`. */
  dialect?: "json" | undefined;
  /**
   * Milliseconds that the provider has to finish by itself after the block has closed (protocol.md P5). After that its
   * request is aborted, and usage is estimated. Defaults to 200.
   */
  grace?: number | undefined;
}

/** The driver of the text protocol: any model that writes text can call tools. */
export function protocolDriver({ dialect = "json", grace = 200 }: ProtocolDriverOptions = {}): Driver {
  return {
    name: "protocol",
    batch: { mode: "parallel", coerce: "json" },

    async *step(context: StepContext): AsyncGenerator<StepEvent> {
      const { log, system, tools, session, signal, clock } = context;
      const request: ModelRequest = {
        ...context.request,
        system: [system, protocolPrompt(tools, { dialect })].filter((part) => part !== "").join("\n\n"),
        messages: toMessages(log, { form: dialect }),
      };
      const parser = createParser({ dialect, clock });
      const reasoning = createReasoning(clock);
      const afterBlock = createGrace(grace);
      const cut = AbortSignal.any([signal, afterBlock.signal]);
      const answer = abandonable(ask(context, request, cut), cut, abortGrace);
      let text = "";
      let thoughts = "";
      let usage: Usage | undefined;
      let finish: FinishReason | undefined;
      let native: Json | undefined;
      let isWaiting = false;
      let hasRefused = false;

      try {
        for (let next = await answer.next(); !next.done; next = await answer.next()) {
          const event = next.value;
          if (event.type !== "finish") isWaiting = event.type === "retry";
          switch (event.type) {
            case "text": {
              text += event.text;
              const ignored = parser.ignored;
              const written = parser.write(event.text);
              hasRefused ||= written.some(isError);
              yield* stepEvents(written, text, reasoning);
              if (parser.done) afterBlock.extraText(event.text.slice(event.text.length - (parser.ignored - ignored)));
              break;
            }
            case "reasoning":
              thoughts += event.text;
              if (!parser.done) yield* reasoning.write(event.text);
              break;
            case "usage":
              usage = event.usage;
              break;
            case "retry":
              yield retried(event, clock());
              break;
            case "session_failed":
              yield withoutSession(event, clock());
              break;
            case "finish":
              finish = event.reason;
              native = event.native;
              break;
          }
        }
        if (finish === undefined && !parser.done && !signal.aborted) throw endedWithoutFinish(context, text);
      } catch (cause) {
        const partial = text === "" && cause instanceof ProviderError ? (cause.partial ?? "") : "";
        const written = text + thoughts + partial;
        if (written === "" && wasRefused(cause)) usage ??= zeroUsage;
        // If the turn is complete or the run was cancelled, a failure costs only the exact usage.
        if (!parser.done && !signal.aborted) {
          // Text that the parser held back is kept. A block that broke off is dropped: it is not the model's mistake.
          const rest = [...parser.write(partial), ...parser.end("other")];
          yield* stepEvents(rest, text, reasoning).filter(({ type }) => type === "think" || type === "respond");
          yield { type: "usage", usage: usage ?? estimateUsage(request, written) };
          throw new RunError("provider", cause instanceof Error ? cause.message : String(cause), { cause });
        }
      } finally {
        afterBlock.close();
        await answer.return?.();
      }

      const rest = parser.end(finish ?? "aborted");
      hasRefused ||= rest.some(isError);
      // The log holds neither a refused block nor text after the end.
      const isLogged = !hasRefused && text.slice(text.length - parser.ignored).trim() === "";
      if (!isLogged) session?.forget();
      yield* stepEvents(rest, text, reasoning);
      if (isLogged && native !== undefined) yield nativeRecord(context, native);
      // Cancelled while waiting for a retry: the failed request used nothing.
      usage ??= isWaiting && finish === "aborted" ? zeroUsage : estimateUsage(request, text + thoughts);
      yield { type: "usage", usage };
      yield { type: "finish", reason: finish === undefined || afterBlock.signal.aborted ? "stop" : finish };
    },
  };
}

/** Milliseconds that a provider may take to end after its request was aborted. */
const abortGrace = 100;

/** Aborts `milliseconds` after the block has closed, or as soon as the model writes on. */
function createGrace(milliseconds: number) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: controller.signal,
    /** Called with each text after the end of the block, also an empty one: the first call starts the timer. */
    extraText(extra: string) {
      if (extra.trim() !== "") controller.abort();
      else timer ??= setTimeout(() => controller.abort(), milliseconds);
    },
    close() {
      clearTimeout(timer);
    },
  };
}

function ask({ provider, session, stream }: StepContext, request: ModelRequest, signal: AbortSignal) {
  if (session) return soundEvents(provider.name, session.ask(request, { signal }));
  return askModel(provider, stream, request, { signal });
}

/** The native blocks that the provider needs to see again in later requests. */
function nativeRecord({ provider, request, clock }: StepContext, data: Json): StepEvent {
  const { name, model } = provider;
  const blocks = { provider: name, model: request.model ?? model, data };
  return { type: "record", kind: "native", data: blocks, timestamp: clock() };
}

/** The error event of a session that could not be opened; the run goes on without one. */
function withoutSession({ message }: SessionFailed, timestamp: number): StepEvent {
  const content = `No session could be opened: ${sentence(message)} The run goes on without one.`;
  return { type: "error", code: "session_failed", content, timestamp };
}

/** The error event of a request that is made again: it tells the user why nothing comes. */
function retried({ message, attempt, delay }: RetryEvent, timestamp: number): StepEvent {
  const pause = delay > 0 ? `in ${(delay / 1000).toFixed(1)} s` : "now";
  return {
    type: "error",
    code: "provider_retry",
    content: `${sentence(message)} Try ${attempt + 1} begins ${pause}.`,
    timestamp,
  };
}

function sentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** Whether the provider refused the request without working on it, so that nothing is charged. */
function wasRefused(cause: unknown): boolean {
  return cause instanceof ProviderError && cause.code !== "timeout" && cause.code !== "cut_stream";
}

function isError({ type }: ParserEvent): boolean {
  return type === "error";
}

function endedWithoutFinish({ provider }: StepContext, partial: string): ProviderError {
  const message = `The provider ${provider.name} ended its answer without saying how it finished.`;
  return new ProviderError("cut_stream", message, { partial });
}

function stepEvents(events: readonly ParserEvent[], text: string, reasoning: Reasoning): StepEvent[] {
  return events.flatMap((event): StepEvent[] => {
    switch (event.type) {
      case "think":
      case "respond":
        return reasoning.besideText(event);
      case "error": {
        const starts = ["<execute>", "<results>"].map((marker) => text.lastIndexOf(marker, event.position));
        return [{ type: "refused", error: event, text: text.slice(Math.max(0, ...starts)) }];
      }
      case "result":
      case "call_delta":
        throw new TypeError(`A parser that was not asked for ${event.type} events has made one.`);
      default:
        return [event];
    }
  });
}
