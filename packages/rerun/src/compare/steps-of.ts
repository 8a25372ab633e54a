import type { StoredEvent } from "@cogency/storage";

/** Where the steps of the model and the words that it answers stand in a log. All numbers are indexes. */
export interface LoggedSteps {
  readonly steps: readonly LoggedStep[];
  readonly prompts: readonly LoggedPrompt[];
}

interface LoggedStep {
  /** Its first event: the record of its request, where the log has one. */
  readonly start: number;
  /** The first event that the model wrote. */
  readonly first: number;
  /** The event after its last one, without records of what it used. */
  readonly end: number;
}

interface LoggedPrompt {
  readonly index: number;
  /** `turn`: words of the person that begin one. `steer`: sent into the middle of one. `notice`: words of the program that begin one. */
  readonly kind: "turn" | "steer" | "notice";
}

/** A request stands between two steps, so a run can begin before each of them. Reads any log, also one that breaks off. */
export function stepsOf(log: readonly StoredEvent[]): LoggedSteps {
  const reading = new Reading();
  for (const [index, event] of log.entries()) reading.read(index, event);
  reading.close(log.length);
  return reading;
}

class Reading implements LoggedSteps {
  readonly steps: LoggedStep[] = [];
  readonly prompts: LoggedPrompt[] = [];
  #open: { start: number; first: number; hasCalls: boolean } | undefined;
  /** The first request since the last step. */
  #request: number | undefined;
  #isSteer = false;
  /** Whether a run has ended, and nothing was said since. */
  #hasEnded = false;

  read(index: number, event: StoredEvent): void {
    switch (event.type) {
      case "user":
        this.close(index);
        if (isOfPerson(event)) this.prompts.push({ index, kind: this.#isSteer ? "steer" : "turn" });
        else if (this.#hasEnded && event.origin === "notice") this.prompts.push({ index, kind: "notice" });
        this.#isSteer = false;
        this.#hasEnded = false;
        break;
      case "think":
      case "respond":
      case "call": {
        const open = this.#begin(index);
        open.hasCalls ||= event.type === "call";
        break;
      }
      case "result":
      case "cancelled":
        this.close(index + 1);
        break;
      case "record":
        this.#readRecord(index, event);
        break;
    }
  }

  #readRecord(index: number, event: Extract<StoredEvent, { type: "record" }>): void {
    switch (event.kind) {
      case "request":
        if (!this.#open) this.#request ??= index;
        break;
      case "native":
        this.#begin(index);
        break;
      case "rejected":
        this.#begin(index);
        this.close(index + 1);
        break;
      case "usage":
      case "run":
        if (!this.#open?.hasCalls) this.close(index);
        this.#hasEnded = event.kind === "run";
        break;
      case "message":
        this.#isSteer = event.data?.kind === "steer";
        break;
    }
  }

  #begin(index: number) {
    this.#open ??= { start: this.#request ?? index, first: index, hasCalls: false };
    return this.#open;
  }

  close(end: number): void {
    if (this.#open) this.steps.push({ start: this.#open.start, first: this.#open.first, end });
    this.#open = undefined;
    this.#request = undefined;
  }
}

/** Words of the person, or text that the person gave on without vouching for it. */
export function isOfPerson(event: StoredEvent): boolean {
  return event.type === "user" && (event.origin === undefined || event.origin === "untrusted");
}
