import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import {
  checkOption,
  checkOptions,
  either,
  group,
  listOf,
  type OptionTable,
  object,
  required,
  text,
} from "@cogency/protocol/options";
import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ScriptError,
  type StreamOptions,
  zeroUsage,
} from "@cogency/provider";
import { AnswerReading } from "./answer-reading.ts";
import type { Driver, ReadingEnd, StepContext, StepEvent } from "./driver.ts";
import { RawUnits } from "./raw-units.ts";

/** What happens in one step, in this order: thinking, text, calls, usage. */
export interface ScriptStep {
  think?: string | undefined;
  /** A text, or its pieces as they arrive. */
  text?: string | readonly string[] | undefined;
  calls?: readonly { name: string; args?: JsonObject | undefined }[] | undefined;
  /** The model fails after that, as a provider fails: no call runs, and the run ends with the error `provider`. */
  error?: Error | undefined;
  /** Defaults to zeros. */
  usage?: Partial<Usage> | undefined;
}

/** What a step that is a function knows. */
export interface ScriptContext extends Pick<StepContext, "log" | "tools"> {
  /** The number of the step in the script, from 1. */
  step: number;
  /** What a model would read. */
  messages: ModelRequest["messages"];
}

/** `driver` and `provider` may be spread into the options of an agent: `createAgent({ ...scriptedDriver(steps) })`. */
export interface ScriptedDriver {
  readonly driver: Driver;
  /** Answers the requests of this driver; it asks no model. */
  readonly provider: Provider;
  /** What a model would have been asked, with native calls. */
  readonly requests: readonly ModelRequest[];
  /** @throws ScriptError `unused_steps` if a step was not played, `unexpected_request` if a run began one that there is not */
  assertDone(): void;
}

/**
 * A driver for tests that plays steps instead of reading a model. Calls run as always: with checks, approval, hooks and the log.
 * Each step is played once, over all runs. A text alone stands for a step that is an answer.
 *
 * @throws TypeError for what is no step; if a function returned it, the run fails with `driver`. So it does, with the cause
 * ScriptError `unexpected_request`, where a run begins a step after the last one
 */
export function scriptedDriver(
  steps: readonly (string | ScriptStep | ((context: ScriptContext) => string | ScriptStep))[],
): ScriptedDriver {
  checkOption(
    "scriptedDriver",
    "steps",
    steps,
    required({ ...object, wanted: "an array of steps", isOfType: Array.isArray }),
  );
  const script = steps.map((given, index) => (typeof given === "function" ? given : stepOf(given, index + 1)));
  const requests: ModelRequest[] = [];
  const played = new WeakMap<ModelRequest, ScriptStep>();
  let unexpected: ScriptError | undefined;

  const driver: Driver = {
    name: "scripted",
    batch: { mode: "parallel", coerce: "json" },
    usesSessions: false,
    nativeCalls: true,
    begin(context) {
      const { log, tools, system } = context;
      const messages = context.messages("native");
      const request = { ...context.request, system, messages, ...(tools.length > 0 && { tools }) };
      const given = script[requests.length];
      const step = requests.push(request);
      if (!given) {
        unexpected ??= noSuchStep(step, script.length, request);
        throw unexpected;
      }
      played.set(request, typeof given === "function" ? stepOf(given({ step, log, tools, messages }), step) : given);
      return new ScriptedReading(context, request);
    },
  };

  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const step = played.get(request);
    if (!step) throw new TypeError("This provider answers only the driver of the same script: give createAgent both.");
    for (const event of eventsOf(step)) {
      if (signal?.aborted) return yield { type: "finish", reason: "aborted" };
      yield event;
    }
    if (step.error) throw step.error;
    yield { type: "usage", usage: { ...zeroUsage, ...step.usage } };
    yield { type: "finish", reason: step.calls?.length ? "tool_calls" : "stop" };
  }

  const options = {
    driver,
    provider: {
      name: "scripted",
      model: "scripted-1",
      capabilities: { tools: true, session: false, reasoning: true, format: false },
      stream,
    },
  };
  const assertDone = () => {
    if (unexpected) throw unexpected;
    const unused = script.length - requests.length;
    if (unused === 0) return;
    throw new ScriptError("unused_steps", `${unused} of ${script.length} steps of the script were never begun.`);
  };
  // Not enumerable, so that `createAgent({ ...scriptedDriver(steps) })` gets the options of an agent and nothing else.
  return Object.defineProperties(options as Pick<ScriptedDriver, "driver" | "provider">, {
    requests: { value: requests },
    assertDone: { value: assertDone },
  }) as ScriptedDriver;
}

function noSuchStep(step: number, steps: number, { messages }: ModelRequest): ScriptError {
  const last = JSON.stringify(messages.at(-1))?.slice(0, 200);
  const message = `The run began step ${step}, but the script has ${steps}. The last message of its request: ${last}`;
  return new ScriptError("unexpected_request", message);
}

function eventsOf({ think, text = [], calls = [] }: ScriptStep): ModelEvent[] {
  return [
    ...(think === undefined ? [] : [{ type: "reasoning", text: think } as const]),
    ...(typeof text === "string" ? [text] : text).map((text): ModelEvent => ({ type: "text", text })),
    ...calls.map(({ name, args = {} }, index): ModelEvent => {
      return { type: "tool_call", id: `scripted_${index}`, name, arguments: JSON.stringify(args) };
    }),
  ];
}

/** Checks what types check, for tests that are not type-checked: a misspelled field would be an empty step. */
function stepOf(given: string | ScriptStep, step: number): ScriptStep {
  if (typeof given === "string") return { text: given };
  const place = `Step ${step} of the script`;
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`${place} is ${String(given)}; give a text, an object or a function.`);
  }
  checkOptions<ScriptStep>(place, given, stepTable);
  return given;
}

const stepTable: OptionTable<ScriptStep> = {
  think: text,
  text: either(text, listOf(text, "an array of strings")),
  calls: listOf(
    group<NonNullable<ScriptStep["calls"]>[number]>({ name: required(text), args: object }),
    "an array of { name, args }",
  ),
  error: object,
  usage: object,
};

class ScriptedReading extends AnswerReading {
  readonly #units: RawUnits;
  #hasCalls = false;

  constructor(context: StepContext, request: ModelRequest) {
    super(context, request, 0);
    this.#units = new RawUnits(context.clock);
  }

  /** A script says what its steps use: nothing, unless it says otherwise. */
  protected override isCounted(): boolean {
    return true;
  }

  protected writeReasoning(piece: string): readonly StepEvent[] {
    return this.#units.write("think", piece);
  }

  protected writeText(piece: string): readonly StepEvent[] {
    return this.#units.write("respond", piece);
  }

  protected override writeCall(event: ModelEvent & { type: "tool_call" | "tool_call_delta" }): readonly StepEvent[] {
    if (event.type !== "tool_call") return [];
    this.#hasCalls = true;
    const content = JSON.stringify({ name: event.name, args: JSON.parse(event.arguments) });
    return [{ type: "call", content, timestamp: this.context.clock() }];
  }

  protected endWhole(finish: FinishReason | undefined): Pick<ReadingEnd, "events" | "asWritten"> {
    const runs = this.#hasCalls && finish === "tool_calls";
    return { events: runs ? [{ type: "execute", timestamp: this.context.clock() }] : [], asWritten: true };
  }

  protected endBroken(piece: string): readonly StepEvent[] {
    return this.#units.write("respond", piece);
  }
}
