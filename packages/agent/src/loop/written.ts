import {
  type AgentEvent,
  type CallDeltaEvent,
  type CallEvent,
  callOf,
  type LogEvent,
  type RespondEvent,
  type ThinkEvent,
  type Usage,
} from "@cogency/protocol";
import { createSettler, isPersisted } from "@cogency/protocol/host";
import { sumUsage } from "@cogency/provider";
import type { Batch } from "@cogency/tools";
import { type LoggedCall, mintCallId, mostCalls, type StopSignal } from "@cogency/tools/host";
import { openBatch } from "../batch/open-batch.ts";
import type { StepEvent } from "../drivers/driver.ts";
import type { OpenArgs, OpenText, Writing } from "../live/writing.ts";
import { inputOf, tokensOf } from "../meter.ts";
import type { RunContext } from "../run-context.ts";
import { addToTrailer, emptyTrailer } from "./trailer.ts";

type Refused = StepEvent & { type: "refused" };

type OfTrailer = StepEvent & { type: "usage" | "finish" | "record" };

/** Events on their way to the log and to the consumer. */
export interface LastEvents {
  /** Not stored yet, if the generation ended without `execute`; the step stores them together with the usage. */
  readonly unstored: readonly LogEvent[];
  /** Not given yet: the batch may begin before the consumer asks for them. */
  readonly ungiven: readonly AgentEvent[];
  /** Whether they hold the refusal of the block. */
  readonly hasRefused?: boolean;
}

/** Events of one moment. */
export interface Accepted extends LastEvents {
  readonly unstored: LogEvent[];
  readonly ungiven: AgentEvent[];
  hasRefused?: boolean;
}

/** What the model has written in one step. It says of each event what is to be stored and what is to be given. */
export class Written implements Writing {
  readonly trailer = emptyTrailer();
  /** The calls of the step; undefined until the model has written one. */
  batch: Batch | undefined;
  calls = 0;
  /** The calls of the batch. */
  readonly logged: LoggedCall[] = [];
  /** The ids of the calls whose arguments were shown before the calls were complete. */
  readonly #ids: string[] = [];
  /** What was shown of them. */
  #openArgs: OpenArgs[] = [];
  hasExecuted = false;
  hasEnded = false;
  /** The block that was refused. Text and calls after it are ignored. */
  refused: Refused | undefined;
  /** Why the model may not go on: the budget is used up. */
  stop: StopSignal | undefined;
  /** What the model is told about text that looks like a call and is none. */
  nearMiss: string | undefined;
  readonly #context: RunContext;
  readonly #log: readonly LogEvent[];
  readonly #stopAnswer: () => void;
  readonly #settler = createSettler();
  /** The units of text for the user; undefined before the first. */
  #text: string | undefined;
  /** What the earlier answers of the step have used. */
  #usageBefore: Usage | undefined;
  /** The tokens of input of their requests. */
  readonly #inputsBefore: number[] = [];
  /** That of the last answer. */
  #usage: Usage | undefined;
  #hasBegun = false;

  /** @param stopAnswer ends the answer, because it holds too many calls */
  constructor(context: RunContext, log: readonly LogEvent[], stopAnswer: () => void) {
    this.#context = context;
    this.#log = log;
    this.#stopAnswer = stopAnswer;
  }

  /** The text for the user. */
  get text(): string {
    return this.#text ?? "";
  }

  get openText(): OpenText | undefined {
    return this.#settler.open;
  }

  get openArgs(): readonly OpenArgs[] {
    return this.#openArgs;
  }

  /** Whether the model has written nothing, and no usage is known. */
  get isNothing(): boolean {
    return !this.#hasBegun && tokensOf(this.trailer.usage) === 0;
  }

  /** The usage of an answer, and of the answers of the step before it. */
  withEarlier(usage: Usage): Usage {
    return this.#usageBefore ? sumUsage(this.#usageBefore, usage) : usage;
  }

  /** The model is asked again in the step. */
  continues(): void {
    this.#usageBefore = this.trailer.usage;
    this.#inputsBefore.push(...this.inputs.slice(this.#inputsBefore.length));
    this.#usage = undefined;
  }

  /** The tokens of input of each request of the step. */
  get inputs(): number[] {
    return [...this.#inputsBefore, ...(this.#usage ? [inputOf(this.#usage)] : [])];
  }

  /** Whether the events are one more piece of the open unit, in the token view: most are. It is then part of the unit. */
  extend(events: readonly StepEvent[]): events is readonly (ThinkEvent | RespondEvent)[] {
    const [event] = events;
    if (events.length !== 1 || !event || this.#context.stream !== "token") return false;
    if (event.type !== "respond" && event.type !== "think") return false;
    return !this.refused && !this.hasExecuted && this.#settler.extend(event);
  }

  /** Takes events of the driver, in order. */
  accept(events: readonly StepEvent[]): Accepted {
    const accepted: Accepted = { unstored: [], ungiven: [] };
    for (const given of events) {
      const event = this.#withinLimit(given);
      if (isOfTrailer(event) || this.hasExecuted) this.#acceptTrailer(event, accepted);
      else if (!this.refused) this.#acceptEvent(event, accepted);
    }
    return accepted;
  }

  /** Ends the open unit. */
  end(last: Accepted): void {
    this.#openArgs = [];
    this.#settle(this.#settler.end(), last);
  }

  #acceptTrailer(event: StepEvent, accepted: Accepted): void {
    // Native blocks after `execute` are stored with the results, those before it at once.
    if (event.type === "usage") {
      this.#usage = event.usage;
      this.trailer.usage = this.withEarlier(event.usage);
    } else if (event.type !== "record" || this.hasExecuted) addToTrailer(this.trailer, event);
    else if (!this.refused) accepted.unstored.push(event);
  }

  #acceptEvent(event: Exclude<StepEvent, OfTrailer>, accepted: Accepted): void {
    this.#hasBegun = true;
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
        this.#acceptDelta(event, accepted);
        return;
      case "execute":
        this.hasExecuted = true;
        this.#openArgs = [];
        break;
      case "end":
        this.hasEnded = true;
        break;
    }
    this.#see(event, accepted);
  }

  #acceptDelta(event: CallDeltaEvent, accepted: Accepted): void {
    const { settings, live } = this.#context;
    const { index, name, content } = event;
    this.#ids[index] ??= mintCallId();
    const id = this.#ids[index] as string;
    const open = this.#openArgs.find((args) => args.id === id);
    if (open) {
      open.content += content;
      open.name ??= name;
    } else if (live) this.#openArgs.push({ id, name, content });
    // A driver that says so writes them for screens alone.
    if (settings.driver.callDeltas !== false) this.#see({ ...event, id }, accepted);
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
    this.#openArgs = [];
    this.logged.length = 0;
    accepted.hasRefused = true;
    // The session remembers a block that the log does not hold.
    session?.forget();
    this.#see(event.error, accepted);
    accepted.unstored.push(rejection(event, settings.clock()));
  }

  #see(event: AgentEvent, accepted: Accepted): void {
    this.#settle(this.#settler.write(event), accepted);
    if (this.#context.stream === "token") accepted.ungiven.push(event);
  }

  /** Here a token delta becomes a stored event: the settler has joined its piece to a unit, and `Generation` appends `unstored`. */
  #settle(events: readonly AgentEvent[], { unstored, ungiven }: Accepted): void {
    const { stream } = this.#context;
    for (const event of events) {
      if (event.type === "respond") {
        this.#text = this.#text === undefined ? event.content : `${this.#text}\n\n${event.content}`;
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
    const maxCalls = Math.min(settings.limits.calls, mostCalls);
    const most = Math.min(maxCalls, ledger.callsLeft);
    if (this.calls < most) return event;
    this.#stopAnswer();
    this.stop = ledger.stopOfCalls;
    const limit =
      most < maxCalls ? `the ${most} calls that are left of the budget` : `${maxCalls} calls (\`budget.calls\`)`;
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
