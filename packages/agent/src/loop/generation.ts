import type { LogEvent } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import type { StopSignal } from "@cogency/tools/host";
import type { Reading, StepEvent } from "../drivers/driver.ts";
import { sessionNotice } from "../drivers/notices.ts";
import { afterFailure, type RunError, runErrorOf } from "../errors.ts";
import type { LoopHooks } from "../hooks/loop-hooks.ts";
import { StoppedByHook } from "../hooks/run-hooks.ts";
import { inputOf } from "../meter.ts";
import type { RunContext } from "../run-context.ts";
import type { SessionFailed } from "../session/session-line.ts";
import { ToldRequest } from "../timeline/told-request.ts";
import { askModel, checkEvent } from "./ask-model.ts";
import type { BegunReading } from "./begin-reading.ts";
import type { FromLog } from "./from-log.ts";
import type { Need, Reservation } from "./ledger.ts";
import { ModelAnswer } from "./model-answer.ts";
import { opened } from "./opened.ts";
import { recordRequest } from "./record-request.ts";
import { needOf, usedBy } from "./request-need.ts";
import { type Accepted, type LastEvents, Written } from "./written.ts";

/** What `read` returns. */
export interface EndOfReading extends LastEvents {
  /** After `execute` with calls: resolves once they are stored, in one append with the first entry of their journal. */
  stored?: Promise<void>;
}

/**
 * What the model writes in one step. `read` passes each event of the answer through the driver to the log and then to the
 * consumer, up to `execute` or the end. `finish` reads what comes after `execute`, `close` ends the answer in any case.
 *
 * INVARIANT: a settled event is stored before it is given. In the token view, the pieces of a unit are given before the unit
 * has settled.
 */
export class Generation {
  readonly written: Written;
  /** Why the run ends: a hook has stopped a request. */
  stopped: StopSignal | undefined;
  /** What is reserved for the requests of the step. */
  readonly reservation: Reservation;
  readonly #context: RunContext;
  #reading: Reading;
  #fromLog: FromLog | undefined;
  /** Tells of the request; undefined if nobody listens. */
  #activity: ToldRequest | undefined;
  #answer: ModelAnswer<ModelEvent | SessionFailed>;
  /** What the earlier answers of the step have used. */
  #used: Need = { tokens: 0, cost: 0 };
  /** Why the step fails: a hook before a request, or the driver. */
  #failure: RunError | undefined;
  /** Whether the loop ended the answer: it holds too many calls. */
  #isStopped = false;
  /** Whether the last answer has ended. */
  #isOver = false;

  constructor(context: RunContext, log: readonly LogEvent[], { reading, fromLog, reservation }: BegunReading) {
    this.#context = context;
    this.written = new Written(context, log, () => {
      this.#isStopped = true;
      this.#answer.abort();
    });
    context.live?.watch(this.written);
    this.#reading = reading;
    this.#fromLog = fromLog;
    this.reservation = reservation;
    this.#answer = this.#ask();
  }

  /**
   * Reads up to `execute`, or to the end.
   *
   * @throws RunError `provider`, `driver` or `store`, after the text that came before is stored and given; ConsumerLeft
   */
  async read(): Promise<EndOfReading> {
    const { outlet } = this.#context;
    /** Whether what comes after the block is read. */
    const isFinishing = this.written.hasExecuted;
    for (;;) {
      const { done, value } = await this.#answer.next();
      const accepted = done ? this.#endAnswer() : this.#take(value);
      if (this.#isOver) return this.#conclude(accepted, isFinishing);
      const { unstored, ungiven } = accepted;
      const last = isFinishing ? undefined : this.#withBatch(accepted);
      const storing = !last && unstored.length > 0 ? this.#store(accepted) : undefined;
      // After the append was requested: what comes after the settled unit is not shown before that is stored.
      this.#context.live?.changed();
      // The model is asked again: the log says so after what it wrote before.
      if (done) this.#recordRequest();
      if (storing) await storing;
      if (last) return last;
      if (isFinishing) continue;
      if (this.written.hasExecuted) return { unstored: [], ungiven };
      const asked = outlet.give(ungiven);
      if (asked) await asked;
    }
  }

  /** Reads the rest of the answer after `execute`: usage, `finish` and native blocks. Never rejects. */
  async finish(): Promise<void> {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
    if (!this.#isOver) await this.read().catch(() => {});
    const { trailer, inputs } = this.written;
    // Agents that its calls have started share what is left.
    if (inputs.length > 0) this.reservation.settle(usedBy(this.#context, trailer.usage, inputs));
  }

  /** Ends the answer. Returns the text that has not settled, to be stored. Never rejects. */
  async close(): Promise<LogEvent[]> {
    const rest: Accepted = { unstored: [], ungiven: [] };
    this.written.end(rest);
    this.#context.live?.watch(undefined);
    await this.#answer.close();
    return rest.unstored;
  }

  #ask(): ModelAnswer<ModelEvent | SessionFailed> {
    const { hooks, signal } = this.#context;
    const { request } = this.#reading;
    const ask = hooks?.has("beforeRequest")
      ? (aborted: AbortSignal) => opened(() => this.#sendWithHooks(hooks, request, aborted))
      : (aborted: AbortSignal) => this.#send(request, aborted);
    return new ModelAnswer(ask, signal, (event) => checkEvent(this.#context.settings.provider.name, event));
  }

  #send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent | SessionFailed> {
    const { settings, session, stream, timeline } = this.#context;
    const isStreamed = session !== undefined || stream !== null;
    this.#activity = timeline.isHeard ? new ToldRequest(timeline, request, settings.provider, isStreamed) : undefined;
    return session ? session.ask(request, { signal }) : askModel(settings.provider, stream, request, { signal });
  }

  /** As `#send`, once the hooks have seen the request. */
  async #sendWithHooks(hooks: LoopHooks, given: ModelRequest, signal: AbortSignal) {
    this.#activity = undefined;
    try {
      const request = await hooks.beforeRequest(given);
      signal.throwIfAborted();
      const need = () => needOf(this.#context, request, this.written.inputs.at(-1));
      const stop = request === given ? undefined : this.reservation.extend(this.#used, need());
      if (stop) throw new StoppedByHook(stop);
      recordRequest(this.#context, request, this.#fromLog);
      this.#fromLog = undefined;
      return this.#send(request, signal);
    } catch (error) {
      if (error instanceof StoppedByHook) this.stopped = error.stop;
      else if (!signal.aborted) this.#failure = runErrorOf(error, "driver");
      throw error;
    }
  }

  /** Takes one event of the answer. */
  #take(event: ModelEvent | SessionFailed): LastEvents {
    try {
      const events = this.#read(event);
      return this.written.extend(events) ? { unstored: [], ungiven: events } : this.#accept(events);
    } catch (error) {
      return this.#last([], runErrorOf(error, "driver"));
    }
  }

  #read(event: ModelEvent | SessionFailed): readonly StepEvent[] {
    if (event.type !== "session_failed") this.#activity?.take(event);
    else return [sessionNotice(event.message, this.#context.settings.clock())];
    const events = this.#reading.write(event);
    const { stage, grace } = this.#reading;
    if (stage !== "open") this.#answer.cut(stage === "surplus" ? 0 : Math.max(1, grace));
    return events;
  }

  /** Takes what the driver makes of the end of the answer. Asks the model again if the driver wants that. */
  #endAnswer(): Accepted {
    const { signal, session } = this.#context;
    const { wasCut, failure: failed } = this.#answer;
    if (failed && (this.stopped || this.#failure)) return this.#last([], this.#failure);
    const isAborted = signal.aborted || this.#isStopped;
    const end = { isAborted, wasCut, hasFailed: failed !== undefined, cause: failed?.cause };
    try {
      const { events, failure, next, asWritten, nearMiss } = this.#reading.end(end);
      this.written.nearMiss = nearMiss;
      this.#activity?.end(events, end.hasFailed, end.cause);
      // The session remembers an answer that the log does not hold.
      if (!asWritten) session?.forget();
      if (!next || isAborted || !this.#mayAsk(next, events)) return this.#last(events, failure);
      void this.#answer.close();
      // On the timeline, the end of an answer comes before the next request.
      const accepted = this.#accept(events);
      this.written.continues();
      this.#reading = next;
      this.#answer = this.#ask();
      return accepted;
    } catch (error) {
      return this.#last([], runErrorOf(error, "driver"));
    }
  }

  /** Whether the step's next request fits into what is left of the budget, which is reserved. */
  #mayAsk({ request }: Reading, events: readonly StepEvent[]): boolean {
    const context = this.#context;
    const ended = events.find((event) => event.type === "usage");
    const { usage } = ended ?? this.written.trailer;
    // What the next request needs is measured by what this one had.
    if (ended) context.size.answered(this.#reading.request, usage);
    const inputs = [...this.written.inputs, ...(ended ? [inputOf(usage)] : [])];
    this.#used = usedBy(context, ended ? this.written.withEarlier(usage) : usage, inputs);
    this.written.stop = this.reservation.extend(this.#used, needOf(context, request, inputs.at(-1)));
    return this.written.stop === undefined;
  }

  /** Says in the log what the model is asked again, unless a hook may still change it. */
  #recordRequest(): void {
    if (!this.#context.hooks?.has("beforeRequest")) recordRequest(this.#context, this.#reading.request);
  }

  #accept(events: readonly StepEvent[]): Accepted {
    for (const event of events) {
      if (event.type === "usage") this.#context.size.answered(this.#reading.request, event.usage);
    }
    return this.written.accept(events);
  }

  /** The last events of the reading, or why it failed. */
  #last(events: readonly StepEvent[], failure: RunError | undefined): Accepted {
    this.#isOver = true;
    this.#failure = failure;
    const accepted = this.#accept(events);
    this.written.end(accepted);
    return accepted;
  }

  /** The events with which the calls of the step begin; undefined if they do not. */
  #withBatch({ unstored, ungiven }: LastEvents): EndOfReading | undefined {
    if (unstored.length === 0 || !this.written.hasExecuted || !this.written.batch) return undefined;
    return { unstored: [], ungiven, stored: this.#context.log.appendSoon(unstored) };
  }

  async #store({ unstored, hasRefused }: LastEvents): Promise<void> {
    // Before the append: no call of a refused block may go on meanwhile.
    if (hasRefused) await this.written.batch?.discard();
    await this.#context.log.append(unstored);
  }

  /** Ends the reading: with the last events, or, after a failure, once they are stored and given. */
  async #conclude(accepted: LastEvents, isFinishing: boolean): Promise<EndOfReading> {
    const { ungiven, hasRefused } = accepted;
    const failure = this.#failure;
    if (failure) {
      await afterFailure(failure, () => this.#store(accepted));
      await this.#context.outlet.put(...ungiven);
      throw failure;
    }
    const begun = isFinishing ? undefined : this.#withBatch(accepted);
    if (begun) return begun;
    if (!hasRefused && (isFinishing || !this.written.hasExecuted)) return accepted;
    await this.#store(accepted);
    return { unstored: [], ungiven };
  }
}
