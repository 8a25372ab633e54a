import { estimateUsage, isProviderError, type ModelEvent, type ModelRequest, type Provider } from "@cogency/provider";
import type { StepEvent } from "../drivers/driver.ts";
import type { Timeline } from "./timeline.ts";

/** Puts one model request on the timeline. */
export class ToldRequest {
  readonly #timeline: Timeline;
  readonly #askedAt = performance.now();
  #first: number | undefined;

  /**
   * @param provider the one that is asked; its model counts if the request names none
   * @param stream whether the answer comes in pieces
   */
  constructor(
    timeline: Timeline,
    request: ModelRequest,
    { name, model }: Pick<Provider, "name" | "model">,
    stream: boolean,
  ) {
    this.#timeline = timeline;
    const { maxOutputTokens, temperature, thinking, stop, format } = request;
    timeline.tell(() => ({
      type: "request_started",
      provider: name,
      model: request.model ?? model,
      tokens: estimateUsage(request, "").input,
      stream,
      ...(format && { json: true }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
      ...(stop && { stop }),
    }));
  }

  /** An event of the answer has come. */
  take(event: ModelEvent): void {
    if (event.type === "ignored") {
      const { setting, message } = event;
      this.#timeline.tell(() => ({ type: "setting_ignored", setting, message }));
      return;
    }
    if (event.type !== "retry") {
      this.#first ??= this.#seconds();
      return;
    }
    const { attempt, delay, code, message } = event;
    this.#timeline.tell(() => ({ type: "request_retried", attempt, delay, code, message }));
  }

  /** The answer has ended; `events` are what the driver gave at its end, `cause` why it failed. */
  end(events: readonly StepEvent[], hasFailed: boolean, cause?: unknown): void {
    const usage = events.find((event) => event.type === "usage")?.usage;
    const finish = hasFailed ? "error" : events.find((event) => event.type === "finish")?.reason;
    this.#timeline.tell(() => ({
      type: "request_ended",
      ...(usage && { usage }),
      ...(finish && { finish }),
      ...(hasFailed && { error: failureOf(cause) }),
      ...(this.#first !== undefined && { first: this.#first }),
      duration: this.#seconds(),
    }));
  }

  #seconds(): number {
    return (performance.now() - this.#askedAt) / 1000;
  }
}

function failureOf(cause: unknown): { code: string; message: string } {
  const message = cause instanceof Error ? cause.message : String(cause);
  return { code: isProviderError(cause) ? cause.code : "unknown", message };
}
