import type { FinishReason, Json, Usage } from "@cogency/protocol";
import {
  estimateUsage,
  isProviderError,
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  zeroUsage,
} from "@cogency/provider";
import { RunError } from "../errors.ts";
import { FlatText } from "../flat-text.ts";
import { isCounted } from "../meter.ts";
import { cutOff } from "./cut-off.ts";
import type { AnswerEnding, Reading, ReadingEnd, ReadingStage, StepContext, StepEvent } from "./driver.ts";
import { retryNotice } from "./notices.ts";

/**
 * What the readings of all drivers have in common: they collect the answer's text and usage, and decide at its end whether it is
 * whole or broke off. A driver makes events of the pieces.
 */
export abstract class AnswerReading implements Reading {
  readonly request: ModelRequest;
  readonly grace: number;
  stage: ReadingStage = "open";
  protected readonly context: StepContext;
  /** The text of the answer so far, as the model wrote it. */
  protected readonly text = new FlatText();
  readonly #thoughts = new FlatText();
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;
  #native: Json | undefined;
  /** Whether the provider waits to make its request again. */
  #isWaiting = false;

  constructor(context: StepContext, request: ModelRequest, grace: number) {
    this.context = context;
    this.request = request;
    this.grace = grace;
  }

  /** Reads a piece of text, which `text` holds already. */
  protected abstract writeText(piece: string): readonly StepEvent[];
  /** Reads a piece of reasoning that the wire separates from text. */
  protected abstract writeReasoning(piece: string): readonly StepEvent[];
  /** Reads a piece of a native call, or a whole one. */
  protected writeCall(_event: ModelEvent & { type: "tool_call" | "tool_call_delta" }): readonly StepEvent[] {
    return [];
  }
  /** Whether the provider has counted the tokens; else they are estimated. */
  protected isCounted(usage: Usage): boolean {
    return isCounted(usage);
  }
  /** The last events of an answer that is complete, or was cut off or aborted, before its usage. */
  protected abstract endWhole(
    finish: FinishReason | undefined,
  ): Pick<ReadingEnd, "events" | "asWritten" | "next" | "failure" | "nearMiss">;
  /** The units that are left of an answer that broke off in the middle of the turn. `piece` is text that was not read. */
  protected abstract endBroken(piece: string): readonly StepEvent[];

  write(event: ModelEvent): readonly StepEvent[] {
    if (event.type !== "finish") this.#isWaiting = event.type === "retry";
    switch (event.type) {
      case "text":
        this.text.add(event.text);
        return this.writeText(event.text);
      case "reasoning":
        this.#thoughts.add(event.text);
        return this.writeReasoning(event.text);
      case "tool_call":
      case "tool_call_delta":
        return this.writeCall(event);
      case "usage":
        if (this.isCounted(event.usage)) this.#usage = event.usage;
        return [];
      case "retry":
        return [retryNotice(event, this.context.clock())];
      case "finish":
        this.#finish = event.reason;
        this.#native = event.native;
        return [];
      default:
        return [];
    }
  }

  end({ isAborted, wasCut, hasFailed, cause }: AnswerEnding): ReadingEnd {
    const isComplete = this.stage !== "open";
    const isMissing = this.#finish === undefined && !isComplete && !isAborted;
    if (!hasFailed && !isMissing) return this.#whole(wasCut);
    const broken = hasFailed ? cause : this.#withoutFinish();
    const text = this.text.toString();
    const partial = text === "" && isProviderError(broken) ? (broken.partial ?? "") : "";
    const written = text + this.#thoughts.toString() + partial;
    if (written === "" && wasRefused(broken)) this.#usage ??= zeroUsage;
    // If the turn is complete or the run was cancelled, a failure costs only the exact usage.
    return isComplete || isAborted ? this.#whole(wasCut) : this.#brokenOff(broken, partial, written);
  }

  #whole(wasCut: boolean): ReadingEnd {
    const { events, ...more } = this.endWhole(this.#finish);
    const finish = this.#finish;
    const native = more.asWritten && this.#native !== undefined ? [this.#nativeRecord(this.#native)] : [];
    const last: StepEvent[] = [
      { type: "usage", usage: this.#usageOf(this.text.toString()) },
      { type: "finish", reason: finish === undefined || wasCut ? "stop" : finish },
    ];
    // Native blocks come before `execute`: they belong to the calls.
    const at = events.findIndex(({ type }) => type === "execute");
    const before = at === -1 ? events.length : at;
    return { ...more, events: [...events.slice(0, before), ...native, ...events.slice(before), ...last] };
  }

  /** What cut the answer off, as the rest of a sentence; undefined for one that was not. */
  protected cutOff(finish: FinishReason | undefined): string | undefined {
    return cutOff(finish, this.request.maxOutputTokens, this.#usage);
  }

  /** Usage as the provider counted it, else an estimate. */
  #usageOf(text: string): Usage {
    if (this.#usage) return this.#usage;
    // Cancelled while waiting for a retry: the failed request used nothing.
    if (this.#isWaiting && this.#finish === "aborted") return zeroUsage;
    return estimateUsage(this.request, text + this.#thoughts.toString());
  }

  #brokenOff(cause: unknown, partial: string, written: string): ReadingEnd {
    // A block or calls that broke off are dropped: they are not the model's mistake.
    const events = this.endBroken(partial).filter(({ type }) => type === "think" || type === "respond");
    events.push({ type: "usage", usage: this.#usage ?? estimateUsage(this.request, written) });
    const message = cause instanceof Error ? cause.message : String(cause);
    return { events, failure: new RunError("provider", message, { cause }), asWritten: false };
  }

  #withoutFinish(): ProviderError {
    const message = `The provider ${this.context.provider.name} ended its answer without saying how it finished.`;
    return new ProviderError("cut_stream", message, { partial: this.text.toString() });
  }

  /** The native blocks that the provider needs to see again in later requests. */
  #nativeRecord(data: Json): StepEvent {
    const { provider, request, clock } = this.context;
    const { name, model } = provider;
    return {
      type: "record",
      kind: "native",
      data: { provider: name, model: request.model ?? model, data },
      timestamp: clock(),
    };
  }
}

/** Whether the provider refused the request without working on it, so that nothing is charged. */
function wasRefused(cause: unknown): boolean {
  return isProviderError(cause) && cause.code !== "timeout" && cause.code !== "cut_stream";
}
