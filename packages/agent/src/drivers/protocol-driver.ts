import {
  createParser,
  type FinishReason,
  type Json,
  type Parser,
  type ParserEvent,
  protocolPrompt,
  type ToolSpec,
  type Usage,
} from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest, ProviderError, zeroUsage } from "@cogency/provider";
import { RunError } from "../errors.ts";
import { FlatText } from "../flat-text.ts";
import type { AnswerEnding, Driver, Reading, ReadingEnd, ReadingStage, StepContext, StepEvent } from "./driver.ts";
import { retryNotice } from "./notices.ts";
import { createReasoning, type Reasoning } from "./reasoning.ts";

export interface ProtocolDriverOptions {
  /** The dialect in which the model writes calls. Defaults to `"json"`. */
  dialect?: "json" | undefined;
  /**
   * Milliseconds that the provider has to finish by itself after the block has closed (protocol.md P5). After that its
   * request is aborted, and usage is estimated. Defaults to 200.
   */
  grace?: number | undefined;
  /**
   * Runs blocks too that a lossless repair of protocol.md §2 makes valid, such as one with a raw line break in a string.
   * Otherwise such a block is refused, and the model writes it again. Defaults to false.
   */
  repair?: boolean | undefined;
  /**
   * `"think"` for servers whose chat template opens the think block, so that the answer begins inside of thinking. Text
   * before `</think>` is then thinking. Defaults to `"text"`.
   */
  startIn?: "text" | "think" | undefined;
  /**
   * Whether a run with `stream: "token"` yields the arguments of calls as they are written, as `call_delta` events. Defaults to
   * false.
   */
  callDeltas?: boolean | undefined;
}

/** The driver of the text protocol: any model that writes text can call tools. */
export function protocolDriver(options: ProtocolDriverOptions = {}): Driver {
  const { dialect = "json", grace = 200, repair, startIn, callDeltas = false } = options;
  /** The system prompt of each agent: its tools are the same array in every step. */
  const prompts = new WeakMap<readonly ToolSpec[], { system: string; prompt: string }>();
  const promptOf = ({ system, tools }: StepContext): string => {
    const known = prompts.get(tools);
    if (known?.system === system) return known.prompt;
    const prompt = [system, protocolPrompt(tools, { dialect })].filter((part) => part !== "").join("\n\n");
    prompts.set(tools, { system, prompt });
    return prompt;
  };
  return {
    name: "protocol",
    batch: { mode: "parallel", coerce: "json" },
    begin(context) {
      const { clock, request, messages } = context;
      const parser = createParser({ dialect, repair, startIn, clock, callDeltas });
      return new ProtocolReading(context, parser, grace, {
        ...request,
        system: promptOf(context),
        messages: messages(dialect),
      });
    },
  };
}

class ProtocolReading implements Reading {
  readonly request: ModelRequest;
  readonly grace: number;
  stage: ReadingStage = "open";
  readonly #context: StepContext;
  readonly #parser: Parser;
  readonly #reasoning: Reasoning;
  readonly #text = new FlatText();
  readonly #thoughts = new FlatText();
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;
  #native: Json | undefined;
  /** Whether the provider waits to make its request again. */
  #isWaiting = false;
  /** Whether a block was refused or repaired. */
  #differs = false;

  constructor(context: StepContext, parser: Parser, grace: number, request: ModelRequest) {
    this.#context = context;
    this.#parser = parser;
    this.#reasoning = createReasoning(context.clock);
    this.grace = grace;
    this.request = request;
  }

  write(event: ModelEvent): readonly StepEvent[] {
    if (event.type !== "finish") this.#isWaiting = event.type === "retry";
    switch (event.type) {
      case "text":
        return this.#writeText(event.text);
      case "reasoning":
        this.#thoughts.add(event.text);
        return this.#parser.done ? [] : this.#reasoning.write(event.text);
      case "usage":
        this.#usage = event.usage;
        return [];
      case "retry":
        return [retryNotice(event, this.#context.clock())];
      case "finish":
        this.#finish = event.reason;
        this.#native = event.native;
        return [];
      default:
        return [];
    }
  }

  end({ isAborted, wasCut, hasFailed, cause }: AnswerEnding): ReadingEnd {
    const parser = this.#parser;
    const isMissing = this.#finish === undefined && !parser.done && !isAborted;
    if (!hasFailed && !isMissing) return this.#whole(wasCut);
    const broken = hasFailed ? cause : this.#withoutFinish();
    const text = this.#text.toString();
    const partial = text === "" && broken instanceof ProviderError ? (broken.partial ?? "") : "";
    const written = text + this.#thoughts.toString() + partial;
    if (written === "" && wasRefused(broken)) this.#usage ??= zeroUsage;
    // If the turn is complete or the run was cancelled, a failure costs only the exact usage.
    return parser.done || isAborted ? this.#whole(wasCut) : this.#brokenOff(broken, partial, written);
  }

  #writeText(piece: string): StepEvent[] {
    const parser = this.#parser;
    this.#text.add(piece);
    const ignored = parser.ignored;
    const written = parser.write(piece);
    if (parser.done) {
      const extra = piece.slice(piece.length - (parser.ignored - ignored));
      if (extra.trim() !== "") this.stage = "surplus";
      else if (this.stage === "open") this.stage = "complete";
    }
    return this.#stepEvents(written);
  }

  /** The end of an answer that is complete, or was cut off or aborted. */
  #whole(wasCut: boolean): ReadingEnd {
    const { clock } = this.#context;
    const parser = this.#parser;
    const finish = this.#finish;
    const native = this.#native;
    const events = this.#stepEvents(parser.end(finish ?? "aborted"));
    const text = this.#text.toString();
    // The log holds neither a refused block nor text after the end, and a repaired block only as it was repaired.
    const asWritten = !this.#differs && text.slice(text.length - parser.ignored).trim() === "";
    if (asWritten && native !== undefined) events.push(this.#nativeRecord(native, clock()));
    events.push({ type: "usage", usage: this.#usageOf(text) });
    events.push({ type: "finish", reason: finish === undefined || wasCut ? "stop" : finish });
    return { events, asWritten };
  }

  /** Usage as the provider counted it, else an estimate. */
  #usageOf(text: string): Usage {
    if (this.#usage) return this.#usage;
    // Cancelled while waiting for a retry: the failed request used nothing.
    if (this.#isWaiting && this.#finish === "aborted") return zeroUsage;
    return estimateUsage(this.request, text + this.#thoughts.toString());
  }

  /** The end of an answer that breaks off in the middle of the turn. */
  #brokenOff(cause: unknown, partial: string, written: string): ReadingEnd {
    const parser = this.#parser;
    // Text that the parser held back is kept. A block that broke off is dropped: it is not the model's mistake.
    const rest = this.#stepEvents([...parser.write(partial), ...parser.end("other")]);
    const events = rest.filter(({ type }) => type === "think" || type === "respond");
    events.push({ type: "usage", usage: this.#usage ?? estimateUsage(this.request, written) });
    const message = cause instanceof Error ? cause.message : String(cause);
    return { events, failure: new RunError("provider", message, { cause }), asWritten: false };
  }

  #withoutFinish(): ProviderError {
    const message = `The provider ${this.#context.provider.name} ended its answer without saying how it finished.`;
    return new ProviderError("cut_stream", message, { partial: this.#text.toString() });
  }

  /** The native blocks that the provider needs to see again in later requests. */
  #nativeRecord(data: Json, timestamp: number): StepEvent {
    const { provider, request } = this.#context;
    const { name, model } = provider;
    return { type: "record", kind: "native", data: { provider: name, model: request.model ?? model, data }, timestamp };
  }

  #stepEvents(events: readonly ParserEvent[]): StepEvent[] {
    const given: StepEvent[] = [];
    for (const event of events) {
      switch (event.type) {
        case "think":
        case "respond": {
          const piece = this.#reasoning.besideText(event);
          if (piece) given.push(piece);
          break;
        }
        case "error":
          this.#differs = true;
          given.push({ type: "refused", error: event, text: this.#blockBefore(event.position) });
          break;
        case "execute":
          if (event.repaired) this.#differs = true;
          given.push(event);
          break;
        case "result":
          throw new TypeError(`A parser that was not asked for ${event.type} events has made one.`);
        default:
          given.push(event);
      }
    }
    return given;
  }

  /** The text from the last block or forged results on that begin at or before the position. */
  #blockBefore(position: number | undefined): string {
    const text = this.#text.toString();
    const starts = ["<execute>", "<results>"].map((marker) => text.lastIndexOf(marker, position));
    return text.slice(Math.max(0, ...starts));
  }
}

/** Whether the provider refused the request without working on it, so that nothing is charged. */
function wasRefused(cause: unknown): boolean {
  return cause instanceof ProviderError && cause.code !== "timeout" && cause.code !== "cut_stream";
}
