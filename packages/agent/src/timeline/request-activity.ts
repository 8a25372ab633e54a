import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import type { StepEvent } from "../drivers/driver.ts";
import type { Timeline } from "./timeline.ts";

/** Puts one model request on the timeline. */
export class RequestActivity {
  readonly #timeline: Timeline;
  readonly #askedAt = performance.now();
  #first: number | undefined;

  /** @param model the model that is asked if the request names none */
  constructor(timeline: Timeline, request: ModelRequest, model: string) {
    this.#timeline = timeline;
    timeline.tell(() => ({
      type: "request_started",
      model: request.model ?? model,
      tokens: estimateUsage(request, "").input,
    }));
  }

  /** An event of the answer has come. */
  take(event: ModelEvent): void {
    if (event.type !== "retry") {
      this.#first ??= this.#seconds();
      return;
    }
    const { attempt, delay, code, message } = event;
    this.#timeline.tell(() => ({ type: "request_retried", attempt, delay, code, message }));
  }

  /** The answer has ended; `events` are what the driver gave at its end. */
  end(events: readonly StepEvent[], hasFailed: boolean): void {
    const usage = events.find((event) => event.type === "usage")?.usage;
    const finish = hasFailed ? "error" : events.find((event) => event.type === "finish")?.reason;
    this.#timeline.tell(() => ({
      type: "request_ended",
      ...(usage && { usage }),
      ...(finish && { finish }),
      ...(this.#first !== undefined && { first: this.#first }),
      duration: this.#seconds(),
    }));
  }

  #seconds(): number {
    return (performance.now() - this.#askedAt) / 1000;
  }
}
