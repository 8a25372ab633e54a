import { type AgentEvent, callOf, createSettler, isPersisted, type LogEvent } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import type { Batch } from "@cogency/tools";
import { openBatch } from "../batch/open-batch.ts";
import type { Reading, ReadingEnd, StepContext, StepEvent } from "../drivers/driver.ts";
import { sessionNotice } from "../drivers/notices.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import type { ConsumerLeft } from "../outlet.ts";
import type { RunContext } from "../run-context.ts";
import type { SessionFailed } from "../session/session-line.ts";
import { askModel, checkEvent } from "./ask-model.ts";
import { ModelAnswer } from "./model-answer.ts";
import { addToTrailer, emptyTrailer } from "./trailer.ts";

type Refused = StepEvent & { type: "refused" };

/** The events that are left when `read` ends. */
export interface LastEvents {
  /** Not stored yet, if the generation ended without `execute`; the step stores them together with the usage. */
  unstored: LogEvent[];
  /** Not given yet: the batch may begin before the consumer asks for them. */
  ungiven: AgentEvent[];
}

/**
 * What the model writes in one step. `read` passes each event of the answer through the driver to the log and then to the
 * consumer, up to `execute` or the end. `finish` reads what comes after `execute`, `close` ends the answer in any case.
 *
 * INVARIANT: a settled event is stored before it is given. In the token view, the pieces of a unit are given before the unit
 * has settled.
 */
export class Generation {
  readonly trailer = emptyTrailer();
  /** The calls of the step; undefined until the model has written one. */
  batch: Batch | undefined;
  calls = 0;
  hasExecuted = false;
  hasEnded = false;
  /** The block that was refused. Text and calls after it are ignored. */
  refused: Refused | undefined;
  readonly #context: RunContext;
  readonly #log: readonly LogEvent[];
  readonly #settler = createSettler();
  /** Units of text for the user. */
  readonly #units: string[] = [];
  #reading: Reading;
  #answer: ModelAnswer<ModelEvent | SessionFailed>;
  /** Whether the loop ended the answer: it holds too many calls. */
  #isStopped = false;
  #resolve: (last: LastEvents) => void = ignore;
  #reject: (error: unknown) => void = ignore;

  /** @throws RunError `driver` */
  constructor(context: RunContext, log: readonly LogEvent[]) {
    this.#context = context;
    this.#log = log;
    this.#reading = begin(context, log);
    this.#answer = this.#ask();
  }

  /** The text for the user. */
  get text(): string {
    return this.#units.join("\n\n");
  }

  /**
   * Reads up to `execute`, or to the end.
   *
   * @throws RunError `provider`, `driver` or `store`, after the text that came before is stored and given; ConsumerLeft
   */
  read(): Promise<LastEvents> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#answer.pull();
    });
  }

  /** Reads the rest of the answer after `execute`: usage, `finish` and native blocks. Never rejects. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = () => resolve();
      // The batch is complete: a connection that fails now costs nothing but the exact usage.
      this.#reject = () => resolve();
      this.#answer.pull();
    });
  }

  /** Ends the answer. Returns the text that has not settled, to be stored. Never rejects. */
  async close(): Promise<LogEvent[]> {
    this.#resolve = this.#reject = ignore;
    const { unstored } = this.#settle(this.#settler.end(), { unstored: [], ungiven: [] });
    await this.#answer.close();
    return unstored;
  }

  #ask(): ModelAnswer<ModelEvent | SessionFailed> {
    const { settings, session, stream, signal } = this.#context;
    const { request } = this.#reading;
    const ask = (aborted: AbortSignal) =>
      session
        ? session.ask(request, { signal: aborted })
        : askModel(settings.provider, stream, request, { signal: aborted });
    return new ModelAnswer(ask, signal, this);
  }

  /** Takes one event of the answer. */
  take(event: ModelEvent | SessionFailed): void {
    try {
      checkEvent(this.#context.settings.provider.name, event);
    } catch (cause) {
      // As if the provider had thrown it.
      return this.fail(cause);
    }
    try {
      this.#pass(this.#readingOf(event));
    } catch (error) {
      this.#conclude([], runErrorOf(error, "driver"));
    }
  }

  /** The answer has ended. */
  end(): void {
    this.#endAnswer(false, undefined);
  }

  /** The provider threw. */
  fail(cause: unknown): void {
    this.#endAnswer(true, cause);
  }

  #readingOf(event: ModelEvent | SessionFailed): readonly StepEvent[] {
    if (event.type === "session_failed") return [sessionNotice(event.message, this.#context.settings.clock())];
    const events = this.#reading.write(event);
    const { stage, grace } = this.#reading;
    if (stage !== "open") this.#answer.cut(stage === "surplus" ? 0 : Math.max(1, grace));
    return events;
  }

  /** Stores what has settled, gives the events to the consumer, and goes on when the next one is wanted. */
  #pass(events: readonly StepEvent[]): void {
    if (this.hasExecuted) {
      for (const event of events) addToTrailer(this.trailer, event);
      return this.#answer.pull();
    }
    const hadRefused = this.refused !== undefined;
    const last = this.#acceptAll(events);
    const { unstored, ungiven } = last;
    if (unstored.length === 0) return this.#give(ungiven);
    const isRefused = !hadRefused && this.refused !== undefined;
    this.#store(unstored, isRefused).then(() => {
      if (this.hasExecuted) this.#resolve({ unstored: [], ungiven });
      else this.#give(ungiven);
    }, this.#reject);
  }

  readonly #waiting = {
    goOn: () => this.#answer.pull(),
    leave: (error: ConsumerLeft) => this.#reject(error),
  };

  #give(events: readonly AgentEvent[]): void {
    if (this.hasExecuted) this.#resolve({ unstored: [], ungiven: [...events] });
    else this.#context.outlet.give(events, this.#waiting);
  }

  async #store(events: readonly LogEvent[], isRefused: boolean): Promise<void> {
    // Before the append: no call of a refused block may go on meanwhile.
    if (isRefused) await this.batch?.discard();
    await this.#context.log.append(events);
  }

  #endAnswer(hasFailed: boolean, cause: unknown): void {
    const { signal, session } = this.#context;
    const isAborted = signal.aborted || this.#isStopped;
    let ended: ReadingEnd;
    try {
      ended = this.#reading.end({ isAborted, wasCut: this.#answer.wasCut, hasFailed, cause });
    } catch (error) {
      return this.#conclude([], runErrorOf(error, "driver"));
    }
    // The session remembers an answer that the log does not hold.
    if (!ended.asWritten) session?.forget();
    if (!ended.next) return this.#conclude(ended.events, ended.failure);
    this.#reading = ended.next;
    this.#answer = this.#ask();
    this.#pass(ended.events);
  }

  /** Ends the reading: with the last events, or, after a failure, once they are stored and given. */
  #conclude(events: readonly StepEvent[], failure: RunError | undefined): void {
    if (this.hasExecuted) {
      for (const event of events) addToTrailer(this.trailer, event);
      return this.#resolve({ unstored: [], ungiven: [] });
    }
    const hadRefused = this.refused !== undefined;
    const last = this.#acceptAll(events);
    this.#settle(this.#settler.end(), last);
    const isRefused = !hadRefused && this.refused !== undefined;
    if (!failure && !isRefused && !this.hasExecuted) return this.#resolve(last);
    const { unstored, ungiven } = last;
    this.#store(unstored, isRefused).then(
      () => {
        if (!failure) return this.#resolve({ unstored: [], ungiven });
        this.#context.outlet.give(ungiven, { goOn: () => this.#reject(failure), leave: this.#reject });
      },
      (error) => this.#reject(failure ? withLater(failure, error) : error),
    );
  }

  #acceptAll(events: readonly StepEvent[]): LastEvents {
    const last: LastEvents = { unstored: [], ungiven: [] };
    for (const event of events) this.#accept(this.#withinLimit(event), last);
    return last;
  }

  #accept(event: StepEvent, last: LastEvents): void {
    const { type } = event;
    if (type === "usage" || type === "finish" || (type === "record" && this.hasExecuted)) {
      return addToTrailer(this.trailer, event);
    }
    if (this.refused || this.hasExecuted) return;
    switch (type) {
      case "record":
        last.unstored.push(event);
        return;
      case "refused":
        return this.#refuse(event, last);
      case "call":
        this.batch ??= openBatch(this.#context, this.#log);
        this.calls++;
        return this.#see({ ...event, id: this.batch.add(callOf(event)).id }, last);
      case "execute":
        this.hasExecuted = true;
        break;
      case "end":
        this.hasEnded = true;
        break;
    }
    this.#see(event, last);
  }

  #refuse(event: Refused, last: LastEvents): void {
    const { signal, session, settings } = this.#context;
    // The block broke off because the run was cancelled: the model did nothing wrong.
    if (signal.aborted) return;
    this.refused = event;
    // The session remembers a block that the log does not hold.
    session?.forget();
    this.#see(event.error, last);
    last.unstored.push(rejection(event, settings.clock()));
  }

  #see(event: AgentEvent, last: LastEvents): void {
    this.#settle(this.#settler.write(event), last);
    if (this.#context.stream === "token") last.ungiven.push(event);
  }

  #settle(events: readonly AgentEvent[], last: LastEvents): LastEvents {
    const { stream } = this.#context;
    for (const event of events) {
      if (event.type === "respond") {
        this.#units.push(event.content);
        this.#context.lastText = this.text;
      }
      if (isStored(event)) last.unstored.push(event);
      if (stream !== "token") last.ungiven.push(event);
    }
    return last;
  }

  /** Replaces a call above the limit by the refusal of its block, and stops the answer. */
  #withinLimit(event: StepEvent): StepEvent {
    const { maxCalls } = this.#context.settings;
    if (event.type !== "call" || this.calls < maxCalls) return event;
    this.#isStopped = true;
    this.#answer.abort();
    const content = `The block held more than ${maxCalls} calls, so none of them ran. Write fewer calls in one block.`;
    const { timestamp } = event;
    return { type: "refused", error: { type: "error", code: "too_many_calls", content, timestamp }, text: "" };
  }
}

/** @throws RunError `driver` */
function begin(context: RunContext, log: readonly LogEvent[]): Reading {
  const { driver, system, offered, provider, request, clock } = context.settings;
  const messages: StepContext["messages"] = (form) => context.log.messages(form);
  try {
    return driver.begin({ log, messages, system, tools: offered, provider, request, clock });
  } catch (error) {
    throw runErrorOf(error, "driver");
  }
}

function isStored(event: AgentEvent): event is AgentEvent & LogEvent {
  return isPersisted(event.type);
}

function rejection({ error, text }: Refused, timestamp: number): LogEvent {
  const { code, content: message, position } = error;
  const data = { code, message, text, ...(position === undefined ? {} : { position }) };
  return { type: "record", kind: "rejected", data, timestamp };
}

function ignore(): void {}
