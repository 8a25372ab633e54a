import type { History } from "@cogency/agent";
import type { JsonObject, LogEvent } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { withCallNumbers } from "./call-numbers.ts";
import { PlayError } from "./play-error.ts";
import { type PackedRequest, type RecordedRequest, unpackRequests } from "./recorded-request.ts";
import { requestDifference } from "./request-difference.ts";

/** Compares the requests of a play with the recorded ones. */
export class PlayedRequests {
  readonly #recorded: readonly RecordedRequest[] | undefined;
  readonly #made: ModelRequest[] = [];
  #compared = 0;

  constructor(recorded: readonly object[] | undefined) {
    this.#recorded = recorded && unpackRequests(recorded as readonly PackedRequest[]);
  }

  add(made: ModelRequest): void {
    this.#made.push(made);
  }

  /** Leaves out of the next request the calls that the recorded one leaves out. */
  readonly history: History = {
    condense: (log) => {
      const ids = [
        ...new Set(log.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : []))),
      ];
      const { without = [] } = this.#recorded?.[this.#made.length] ?? {};
      return { without: new Set(without.flatMap((number) => ids[number - 1] ?? [])) };
    },
  };

  /**
   * Compares the requests that were made since the last time. The number of requests is no concern of it.
   *
   * @throws PlayError `request_differs`
   */
  compare(log: readonly LogEvent[]): void {
    if (!this.#recorded) return;
    const drivers = driversIn(log);
    for (; this.#compared < this.#made.length; this.#compared++) {
      const recorded = this.#recorded[this.#compared];
      const made = this.#made[this.#compared] as ModelRequest;
      if (!recorded) return;
      const driver = drivers.length === this.#made.length ? drivers[this.#compared] : undefined;
      const difference = requestDifference(recorded, withCallNumbers(partsOf(made, driver), log));
      if (difference === undefined) continue;
      const number = ++this.#compared;
      throw new PlayError("request_differs", `Request ${number} to the model differs in ${difference}`);
    }
  }
}

function partsOf(
  { system, messages, tools, model: _, ...settings }: ModelRequest,
  driver: string | undefined,
): RecordedRequest {
  return {
    ...(driver !== undefined && { driver }),
    system,
    ...(tools && { tools }),
    messages,
    settings: JSON.parse(JSON.stringify(settings)) as JsonObject,
  };
}

function driversIn(log: readonly LogEvent[]): string[] {
  return log.flatMap((event) => (event.type === "record" && event.kind === "request" ? [event.data.driver] : []));
}
