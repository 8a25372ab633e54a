import type { LogEvent } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import type {
  AnswerEnding,
  Driver,
  Reading,
  ReadingEnd,
  ReadingStage,
  StepContext,
  StepEvent,
} from "../drivers/driver.ts";

/** What one reading gave. */
export interface ObservedReading {
  /** The log that the request was made from, as JSON would keep it. */
  readonly log: readonly LogEvent[];
  readonly request: ModelRequest;
  readonly grace: number;
  /** The stage at the beginning, and after each event. */
  readonly stages: ReadingStage[];
  /** In order. The last one is what `end` gave, if it was called. */
  readonly given: { by: "write" | "end"; events: readonly StepEvent[] }[];
  ending: AnswerEnding | undefined;
  end: ReadingEnd | undefined;
}

/** A driver, and everything that its readings gave, in order. */
export interface ObservedDriver {
  readonly driver: Driver;
  readonly readings: readonly ObservedReading[];
  /** What it did that no driver may, each in a sentence. */
  readonly offences: readonly string[];
}

/** @param isFrozen whether everything that the driver is given throws when it is changed */
export function observed(driver: Driver, { isFrozen = false } = {}): ObservedDriver {
  const readings: ObservedReading[] = [];
  const offences: string[] = [];
  const synchronous = <T>(given: T, method: string): T => {
    if (typeof (given as { then?: unknown } | undefined)?.then === "function") {
      offences.push(`\`${method}\` must not return a promise: the loop does not wait for it.`);
    }
    return given;
  };

  function observe(reading: Reading, log: readonly LogEvent[]): Reading {
    const seen: ObservedReading = {
      log,
      request: structuredClone(reading.request),
      grace: reading.grace,
      stages: [reading.stage],
      given: [],
      ending: undefined,
      end: undefined,
    };
    readings.push(seen);
    return {
      request: reading.request,
      get stage() {
        return reading.stage;
      },
      get grace() {
        return reading.grace;
      },
      write(event: ModelEvent) {
        const events = synchronous(reading.write(isFrozen ? frozen(structuredClone(event)) : event), "write");
        seen.stages.push(reading.stage);
        // The loop may change them.
        if (Array.isArray(events)) seen.given.push({ by: "write", events: structuredClone(events) });
        return events;
      },
      end(ending: AnswerEnding) {
        seen.ending = ending;
        const end = synchronous(reading.end(ending), "end");
        seen.end = end;
        if (Array.isArray(end.events)) seen.given.push({ by: "end", events: structuredClone(end.events) });
        return end.next ? { ...end, next: observe(end.next, log) } : end;
      },
    };
  }

  return {
    readings,
    offences,
    driver: {
      name: driver.name,
      batch: driver.batch,
      usesSessions: driver.usesSessions,
      nativeCalls: driver.nativeCalls,
      begin(context: StepContext) {
        const log = structuredClone(context.log) as LogEvent[];
        const provider = untouchable(context.provider, offences);
        const given = { ...(isFrozen ? frozenContext(context) : context), provider };
        return observe(synchronous(driver.begin(given), "begin"), log);
      },
    },
  };
}

/** The model with what a driver may know of it; asking it is an offence. */
function untouchable({ name, model, capabilities }: StepContext["provider"], offences: string[]) {
  const provider = { name, model, capabilities };
  for (const method of ["stream", "generate", "connect"]) {
    Object.defineProperty(provider, method, {
      get() {
        offences.push(`A driver must not ask the model: it used \`${method}\` of the provider.`);
        return () => {
          throw new Error("A driver must not ask the model.");
        };
      },
    });
  }
  return provider;
}

function frozenContext(context: StepContext): StepContext {
  return {
    ...context,
    log: frozen(structuredClone(context.log) as LogEvent[]),
    // The list is the driver's, its messages are not.
    messages: (form) => structuredClone(context.messages(form)).map(frozen),
    tools: frozen(structuredClone(context.tools)),
    request: frozen(structuredClone(context.request)),
  };
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
