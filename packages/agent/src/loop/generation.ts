import {
  type AgentEvent,
  type CallEvent,
  callOf,
  createSettler,
  isPersisted,
  type LogEvent,
  type MessageForm,
  type RespondEvent,
  type ThinkEvent,
  type Usage,
} from "@cogency/protocol";
import { type ModelEvent, type ModelRequest, sumUsage } from "@cogency/provider";
import { type Batch, type LoggedCall, mintCallId, type StopSignal } from "@cogency/tools";
import { openBatch } from "../batch/open-batch.ts";
import type { Reading, StepEvent } from "../drivers/driver.ts";
import { sessionNotice } from "../drivers/notices.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import { type RunHooks, StoppedByHook } from "../hooks/run-hooks.ts";
import type { ConsumerLeft } from "../outlet.ts";
import type { RunContext } from "../run-context.ts";
import type { SessionFailed } from "../session/session-line.ts";
import { RequestActivity } from "../timeline/request-activity.ts";
import { askModel, checkEvent } from "./ask-model.ts";
import type { BegunReading } from "./begin-reading.ts";
import type { Need, Reservation } from "./ledger.ts";
import { ModelAnswer } from "./model-answer.ts";
import { opened } from "./opened.ts";
import { needOf, usedBy } from "./request-need.ts";
import { recordRequest } from "./request-records.ts";
import { addToTrailer, emptyTrailer } from "./trailer.ts";

type Refused = StepEvent & { type: "refused" };

type OfTrailer = StepEvent & { type: "usage" | "finish" | "record" };

/** The events that are left when `read` ends. */
export interface LastEvents {
  /** Not stored yet, if the generation ended without `execute`; the step stores them together with the usage. */
  unstored: LogEvent[];
  /** Not given yet: the batch may begin before the consumer asks for them. */
  ungiven: AgentEvent[];
}

/** What `read` returns. */
export interface EndOfReading extends LastEvents {
  /** After `execute` with calls: resolves once they are stored, in one append with the first entry of their journal. */
  stored?: Promise<void>;
}

/** Events of one moment, on their way to the log and to the consumer. */
interface Accepted extends LastEvents {
  /** Whether they hold the refusal of the block. */
  hasRefused: boolean;
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
  /** The calls of the batch. */
  readonly logged: LoggedCall[] = [];
  /** Why the run ends: a hook has stopped a request. */
  stopped: StopSignal | undefined;
  /** The ids of the calls whose arguments were shown before the calls were complete. */
  readonly #ids: string[] = [];
  hasExecuted = false;
  hasEnded = false;
  /** The block that was refused. Text and calls after it are ignored. */
  refused: Refused | undefined;
  /** Why the model may not go on: the budget is used up. */
  stop: StopSignal | undefined;
  /** What the model is told if it wrote a call that is none. */
  nearMiss: string | undefined;
  /** What is reserved for the requests of the step. */
  readonly reservation: Reservation;
  readonly #context: RunContext;
  readonly #log: readonly LogEvent[];
  readonly #settler = createSettler();
  /** Units of text for the user. */
  readonly #units: string[] = [];
  #reading: Reading;
  #form: MessageForm | undefined;
  /** Tells of the request; undefined if nobody listens. */
  #activity: RequestActivity | undefined;
  #answer: ModelAnswer<ModelEvent | SessionFailed>;
  /** What the earlier answers of the step have used. */
  #usageBefore: Usage | undefined;
  /** The same, as the budget counts it. */
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
    this.#log = log;
    this.#reading = reading;
    this.#form = form;
    this.reservation = reservation;
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
    this.#settle(this.#settler.end(), rest);
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
    this.#activity = timeline.isHeard ? new RequestActivity(timeline, request, settings.provider.model) : undefined;
    return session ? session.ask(request, { signal }) : askModel(settings.provider, stream, request, { signal });
  }

  /** As `#send`, once the hooks have seen the request. */
  async #sendWithHooks(hooks: RunHooks, given: ModelRequest, signal: AbortSignal) {
    this.#activity = undefined;
    try {
      const request = await hooks.beforeRequest(given);
      signal.throwIfAborted();
      const stop = request === given ? undefined : this.reservation.extend(this.#used, needOf(this.#context, request));
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
    if (this.#isPiece(events)) {
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
    return this.hasExecuted && this.batch !== undefined && !this.#isFinishing;
  }

  #withBatch({ unstored, ungiven }: Accepted): EndOfReading {
    return { unstored: [], ungiven, stored: this.#context.log.appendSoon(unstored) };
  }

  /** Whether the events are one more piece of the open unit, in the token view: most are. */
  #isPiece(events: readonly StepEvent[]): events is readonly (ThinkEvent | RespondEvent)[] {
    const [event] = events;
    if (events.length !== 1 || !event || this.#context.stream !== "token") return false;
    if (event.type !== "respond" && event.type !== "think") return false;
    return !this.refused && !this.hasExecuted && this.#settler.extend(event);
  }

  #give({ ungiven }: LastEvents): void {
    if (!this.hasExecuted) this.#context.outlet.give(ungiven, this.#waiting);
    else if (this.#isFinishing) this.#answer.pull();
    else this.#resolve({ unstored: [], ungiven });
  }

  readonly #waiting = {
    goOn: () => this.#answer.pull(),
    leave: (error: ConsumerLeft) => this.#reject(error),
  };

  async #store({ unstored, hasRefused }: Accepted): Promise<void> {
    // Before the append: no call of a refused block may go on meanwhile.
    if (hasRefused) await this.batch?.discard();
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
      this.nearMiss = nearMiss;
      this.#activity?.end(events, hasFailed);
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
    const { usage } = ended ?? this.trailer;
    // What the next request needs is measured by what this one had.
    if (ended) context.size.answered(this.#reading.request, usage);
    this.#used = usedBy(context, this.#usageBefore ? sumUsage(this.#usageBefore, usage) : usage);
    this.stop = this.reservation.extend(this.#used, needOf(context, request));
    return this.stop === undefined;
  }

  #askAgain(next: Reading, events: readonly StepEvent[]): void {
    void this.#answer.close();
    // On the timeline, the end of an answer comes before the next request.
    const accepted = this.#accept(events);
    this.#usageBefore = this.trailer.usage;
    this.#reading = next;
    this.#answer = this.#ask();
    this.#passOn(accepted);
    if (!this.#context.hooks?.has("beforeRequest")) recordRequest(this.#context, next.request);
  }

  /** Ends the reading: with the last events, or, after a failure, once they are stored and given. */
  #conclude(events: readonly StepEvent[], failure: RunError | undefined): void {
    this.#isOver = true;
    const accepted = this.#accept(events);
    this.#settle(this.#settler.end(), accepted);
    const { unstored, ungiven, hasRefused } = accepted;
    if (!failure && this.#isBatchComplete()) {
      this.#resolve(this.#withBatch(accepted));
      return;
    }
    const isUrgent = hasRefused || (this.hasExecuted && !this.#isFinishing);
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

  #accept(events: readonly StepEvent[]): Accepted {
    const accepted: Accepted = { unstored: [], ungiven: [], hasRefused: false };
    for (const given of events) {
      const event = this.#withinLimit(given);
      if (isOfTrailer(event) || this.hasExecuted) this.#acceptTrailer(event, accepted);
      else if (!this.refused) this.#acceptEvent(event, accepted);
    }
    return accepted;
  }

  #acceptTrailer(event: StepEvent, accepted: Accepted): void {
    if (event.type === "usage") this.#context.size.answered(this.#reading.request, event.usage);
    // Native blocks after `execute` are stored with the results, those before it at once.
    if (event.type === "usage" && this.#usageBefore) {
      this.trailer.usage = sumUsage(this.#usageBefore, event.usage);
    } else if (event.type !== "record" || this.hasExecuted) addToTrailer(this.trailer, event);
    else if (!this.refused) accepted.unstored.push(event);
  }

  #acceptEvent(event: Exclude<StepEvent, OfTrailer>, accepted: Accepted): void {
    switch (event.type) {
      case "refused":
        this.#refuse(event, accepted);
        return;
      case "call":
        this.#acceptCall(event, accepted);
        return;
      case "args_leaked":
      case "extraction_failed":
      case "validation_failed":
        this.#context.timeline.tell(() => event);
        return;
      case "call_delta":
        this.#ids[event.index] ??= mintCallId();
        this.#see({ ...event, id: this.#ids[event.index] as string }, accepted);
        return;
      case "execute":
        this.hasExecuted = true;
        break;
      case "end":
        this.hasEnded = true;
        break;
    }
    this.#see(event, accepted);
  }

  #acceptCall(event: CallEvent, accepted: Accepted): void {
    this.batch ??= openBatch(this.#context, this.#log);
    const shown = this.#ids[this.calls++];
    const call = this.batch.add({ ...callOf(event), ...(shown !== undefined && { id: shown }) });
    this.logged.push(call);
    this.#see({ ...event, id: call.id }, accepted);
  }

  #refuse(event: Refused, accepted: Accepted): void {
    const { signal, session, settings } = this.#context;
    // The block broke off because the run was cancelled: the model did nothing wrong.
    if (signal.aborted) return;
    this.refused = event;
    this.logged.length = 0;
    accepted.hasRefused = true;
    // The session remembers a block that the log does not hold.
    session?.forget();
    this.#see(event.error, accepted);
    accepted.unstored.push(rejection(event, settings.clock()));
  }

  #see(event: AgentEvent, accepted: LastEvents): void {
    this.#settle(this.#settler.write(event), accepted);
    if (this.#context.stream === "token") accepted.ungiven.push(event);
  }

  #settle(events: readonly AgentEvent[], { unstored, ungiven }: LastEvents): void {
    const { stream } = this.#context;
    for (const event of events) {
      if (event.type === "respond") {
        this.#units.push(event.content);
        this.#context.lastText = this.text;
      }
      if (isStored(event)) unstored.push(event);
      if (stream !== "token") ungiven.push(event);
    }
  }

  /** Replaces a call above the limit by the refusal of its block, and stops the answer. */
  #withinLimit(event: StepEvent): StepEvent {
    if (event.type !== "call") return event;
    const { settings, ledger } = this.#context;
    const { calls: maxCalls } = settings.limits;
    const most = Math.min(maxCalls, ledger.callsLeft);
    if (this.calls < most) return event;
    this.#isStopped = true;
    this.#answer.abort();
    this.stop = ledger.stopOfCalls;
    const limit = most < maxCalls ? `the ${most} calls that are left of the budget` : `${maxCalls} calls`;
    const content = `The block held more than ${limit}, so none of them ran. Write fewer calls in one block.`;
    const { timestamp } = event;
    return { type: "refused", error: { type: "error", code: "too_many_calls", content, timestamp }, text: "" };
  }
}

function isOfTrailer(event: StepEvent): event is OfTrailer {
  return event.type === "usage" || event.type === "finish" || event.type === "record";
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
