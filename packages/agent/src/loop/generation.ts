import type { LogEvent, MessageForm } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import type { StopSignal } from "@cogency/tools";
import type { Reading, StepEvent } from "../drivers/driver.ts";
import { sessionNotice } from "../drivers/notices.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import type { LoopHooks } from "../hooks/loop-hooks.ts";
import { StoppedByHook } from "../hooks/run-hooks.ts";
import { inputOf } from "../meter.ts";
import type { ConsumerLeft } from "../outlet.ts";
import type { RunContext } from "../run-context.ts";
import type { SessionFailed } from "../session/session-line.ts";
import { RequestActivity } from "../timeline/request-activity.ts";
import { askModel, checkEvent } from "./ask-model.ts";
import type { BegunReading } from "./begin-reading.ts";
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
  #form: MessageForm | undefined;
  /** Tells of the request; undefined if nobody listens. */
  #activity: RequestActivity | undefined;
  #answer: ModelAnswer<ModelEvent | SessionFailed>;
  /** What the earlier answers of the step have used. */
  #used: Need = { tokens: 0, cost: 0 };
  /** Why the model could not be asked: a hook failed. */
  #unasked: RunError | undefined;
  /** Whether the loop ended the answer: it holds too many calls. */
  #isStopped = false;
  /** Whether the last answer has ended. */
  #isOver = false;
  /** Whether what comes after the block is read. */
  #isFinishing = false;
  #resolve: (last: EndOfReading) => void = ignore;
  #reject: (error: unknown) => void = ignore;

  constructor(context: RunContext, log: readonly LogEvent[], { reading, form, reservation }: BegunReading) {
    this.#context = context;
    this.written = new Written(context, log, () => {
      this.#isStopped = true;
      this.#answer.abort();
    });
    this.#reading = reading;
    this.#form = form;
    this.reservation = reservation;
    this.#answer = this.#ask();
  }

  /**
   * Reads up to `execute`, or to the end.
   *
   * @throws RunError `provider`, `driver` or `store`, after the text that came before is stored and given; ConsumerLeft
   */
  read(): Promise<EndOfReading> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#answer.pull();
    });
  }

  /** Reads the rest of the answer after `execute`: usage, `finish` and native blocks. Never rejects. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    // The driver read the block at the end of the answer.
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#resolve = () => resolve();
      // The batch is complete: a connection that fails now costs nothing but the exact usage.
      this.#reject = () => resolve();
      this.#answer.pull();
    });
  }

  /** Ends the answer. Returns the text that has not settled, to be stored. Never rejects. */
  async close(): Promise<LogEvent[]> {
    this.#resolve = this.#reject = ignore;
    const rest: LastEvents = { unstored: [], ungiven: [] };
    this.written.end(rest);
    await this.#answer.close();
    return rest.unstored;
  }

  #ask(): ModelAnswer<ModelEvent | SessionFailed> {
    const { hooks, signal } = this.#context;
    const { request } = this.#reading;
    const ask = hooks?.has("beforeRequest")
      ? (aborted: AbortSignal) => opened(() => this.#sendWithHooks(hooks, request, aborted))
      : (aborted: AbortSignal) => this.#send(request, aborted);
    return new ModelAnswer(ask, signal, this);
  }

  #send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent | SessionFailed> {
    const { settings, session, stream, timeline } = this.#context;
    const isStreamed = session !== undefined || stream !== null;
    this.#activity = timeline.isHeard
      ? new RequestActivity(timeline, request, settings.provider, isStreamed)
      : undefined;
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
      recordRequest(this.#context, request, this.#form);
      this.#form = undefined;
      return this.#send(request, signal);
    } catch (error) {
      if (error instanceof StoppedByHook) this.stopped = error.stop;
      else if (!signal.aborted) this.#unasked = runErrorOf(error, "driver");
      throw error;
    }
  }

  /** The listener of the answer: takes one event. */
  take(event: ModelEvent | SessionFailed): void {
    try {
      checkEvent(this.#context.settings.provider.name, event);
    } catch (cause) {
      this.fail(cause);
      return;
    }
    try {
      this.#pass(this.#read(event));
    } catch (error) {
      this.#conclude([], runErrorOf(error, "driver"));
    }
  }

  /** The listener of the answer: it has ended. */
  end(): void {
    this.#endAnswer(false, undefined);
  }

  /** The listener of the answer: the provider threw, or gave a malformed event. */
  fail(cause: unknown): void {
    if (this.stopped || this.#unasked) this.#conclude([], this.#unasked);
    else this.#endAnswer(true, cause);
  }

  #read(event: ModelEvent | SessionFailed): readonly StepEvent[] {
    if (event.type !== "session_failed") this.#activity?.take(event);
    else return [sessionNotice(event.message, this.#context.settings.clock())];
    const events = this.#reading.write(event);
    const { stage, grace } = this.#reading;
    if (stage !== "open") this.#answer.cut(stage === "surplus" ? 0 : Math.max(1, grace));
    return events;
  }

  /** Stores what has settled, gives the events to the consumer, and goes on when the next one is wanted. */
  #pass(events: readonly StepEvent[]): void {
    if (this.written.extend(events)) {
      this.#context.outlet.give(events, this.#waiting);
      return;
    }
    this.#passOn(this.#accept(events));
  }

  #passOn(accepted: Accepted): void {
    if (accepted.unstored.length === 0) this.#give(accepted);
    else if (this.#isBatchComplete()) this.#resolve(this.#withBatch(accepted));
    else this.#store(accepted).then(() => this.#give(accepted), this.#reject);
  }

  /** Whether the calls of the step may begin, and the step does not know yet. */
  #isBatchComplete(): boolean {
    return this.written.hasExecuted && this.written.batch !== undefined && !this.#isFinishing;
  }

  #withBatch({ unstored, ungiven }: Accepted): EndOfReading {
    return { unstored: [], ungiven, stored: this.#context.log.appendSoon(unstored) };
  }

  #give({ ungiven }: LastEvents): void {
    if (!this.written.hasExecuted) this.#context.outlet.give(ungiven, this.#waiting);
    else if (this.#isFinishing) this.#answer.pull();
    else this.#resolve({ unstored: [], ungiven });
  }

  readonly #waiting = {
    goOn: () => this.#answer.pull(),
    leave: (error: ConsumerLeft) => this.#reject(error),
  };

  async #store({ unstored, hasRefused }: Accepted): Promise<void> {
    // Before the append: no call of a refused block may go on meanwhile.
    if (hasRefused) await this.written.batch?.discard();
    await this.#context.log.append(unstored);
  }

  #endAnswer(hasFailed: boolean, cause: unknown): void {
    const { signal, session } = this.#context;
    const isAborted = signal.aborted || this.#isStopped;
    try {
      const { wasCut } = this.#answer;
      const { events, failure, next, asWritten, nearMiss } = this.#reading.end({
        isAborted,
        wasCut,
        hasFailed,
        cause,
      });
      this.written.nearMiss = nearMiss;
      this.#activity?.end(events, hasFailed, cause);
      // The session remembers an answer that the log does not hold.
      if (!asWritten) session?.forget();
      if (next && !isAborted && this.#mayAsk(next, events)) this.#askAgain(next, events);
      else this.#conclude(events, failure);
    } catch (error) {
      this.#conclude([], runErrorOf(error, "driver"));
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

  #askAgain(next: Reading, events: readonly StepEvent[]): void {
    void this.#answer.close();
    // On the timeline, the end of an answer comes before the next request.
    const accepted = this.#accept(events);
    this.written.continues();
    this.#reading = next;
    this.#answer = this.#ask();
    this.#passOn(accepted);
    if (!this.#context.hooks?.has("beforeRequest")) recordRequest(this.#context, next.request);
  }

  #accept(events: readonly StepEvent[]): Accepted {
    for (const event of events) {
      if (event.type === "usage") this.#context.size.answered(this.#reading.request, event.usage);
    }
    return this.written.accept(events);
  }

  /** Ends the reading: with the last events, or, after a failure, once they are stored and given. */
  #conclude(events: readonly StepEvent[], failure: RunError | undefined): void {
    this.#isOver = true;
    const accepted = this.#accept(events);
    this.written.end(accepted);
    const { unstored, ungiven, hasRefused } = accepted;
    if (!failure && this.#isBatchComplete()) {
      this.#resolve(this.#withBatch(accepted));
      return;
    }
    const isUrgent = hasRefused || (this.written.hasExecuted && !this.#isFinishing);
    if (!failure && !isUrgent) {
      this.#resolve({ unstored, ungiven });
      return;
    }
    const waiting = { goOn: () => this.#reject(failure), leave: (error: ConsumerLeft) => this.#reject(error) };
    this.#store(accepted).then(
      () => (failure ? this.#context.outlet.give(ungiven, waiting) : this.#resolve({ unstored: [], ungiven })),
      (error) => this.#reject(failure ? withLater(failure, error) : error),
    );
  }
}

function ignore(): void {}
