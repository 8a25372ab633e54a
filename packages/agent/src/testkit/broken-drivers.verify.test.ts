import type { LogEvent } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { driverHarnesses } from "../../test/support/driver-harnesses.ts";
import type { Driver, Reading, ReadingEnd, StepContext, StepEvent } from "../drivers/driver.ts";
import { driverConformance } from "./conformance.ts";
import { type Declarations, withoutBatches, withoutTextBesideCalls } from "./index.ts";

interface Defect {
  /** Continues "a driver that". */
  does: string;
  of: keyof typeof driverHarnesses;
  /** Breaks the driver. */
  breaks(driver: Driver): Driver;
  declare?: Declarations;
  /** The beginnings of names: each of these cases must notice, with these words. */
  noticed: Readonly<Record<string, string>>;
}

const timestamp = 1;

/** Changes what the readings of a driver are given and give. */
function reads(change: (reading: Reading, context: StepContext) => Partial<Reading>): (driver: Driver) => Driver {
  const changed = (reading: Reading, context: StepContext): Reading => {
    const same: Reading = {
      request: reading.request,
      grace: reading.grace,
      get stage() {
        return reading.stage;
      },
      write: (event) => reading.write(event),
      end: (ending) => reading.end(ending),
    };
    // Not a spread, which would read `stage` once and for all.
    return Object.defineProperties(same, Object.getOwnPropertyDescriptors(change(reading, context)));
  };
  return (driver) => ({ ...driver, begin: (context) => changed(driver.begin(context), context) });
}

/** Changes what the readings of a driver give, event by event. */
function gives(change: (event: StepEvent) => readonly StepEvent[]): (driver: Driver) => Driver {
  return reads((reading) => ({
    write: (event) => reading.write(event).flatMap(change),
    end(ending) {
      const end = reading.end(ending);
      return { ...end, events: end.events.flatMap(change) };
    },
  }));
}

/** Changes what the readings of a driver give at the end. */
function ends(
  change: (end: ReadingEnd, ending: Parameters<Reading["end"]>[0]) => ReadingEnd,
): (driver: Driver) => Driver {
  return reads((reading) => ({ end: (ending) => change(reading.end(ending), ending) }));
}

/** Changes the request of a driver. */
function asks(change: (request: Reading["request"], context: StepContext) => Partial<Reading["request"]>) {
  return reads((reading, context) => ({ request: { ...reading.request, ...change(reading.request, context) } }));
}

/** Makes a driver throw at logs that hold such an event. */
function readsNo(isSuch: (event: LogEvent) => boolean): (driver: Driver) => Driver {
  return (driver) => ({
    ...driver,
    begin(context) {
      if (context.log.some(isSuch)) throw new TypeError("There is one.");
      return driver.begin(context);
    },
  });
}

let asked = 0;

const defects: Defect[] = [
  {
    does: "writes several calls, and declares that it cannot",
    of: "json",
    breaks: (driver) => driver,
    declare: withoutBatches,
    noticed: { "a driver cannot do what it declares": 'declare no "batches" case' },
  },
  {
    does: "speaks beside its calls, and declares that it cannot",
    of: "xml",
    breaks: (driver) => driver,
    declare: withoutTextBesideCalls,
    noticed: { "a driver cannot do what it declares": 'declare no "text_beside_calls" case' },
  },
  {
    does: "has no name",
    of: "json",
    breaks: (driver) => ({ ...driver, name: "" }),
    noticed: { "a driver says who it is": "`name` must be a string" },
  },
  {
    does: "runs calls as nobody knows",
    of: "json",
    breaks: (driver) => ({ ...driver, batch: { mode: "serial" as never } }),
    noticed: { "a driver says who it is": '`batch.mode` is "serial"' },
  },
  {
    does: "waits before it reads",
    of: "json",
    breaks: reads((reading) => ({ write: (async (event: ModelEvent) => reading.write(event)) as never })),
    noticed: { "reading is synchronous": "`write` must not return a promise" },
  },
  {
    does: "asks the model itself",
    of: "json",
    breaks: (driver) => ({
      ...driver,
      begin(context) {
        try {
          (context.provider as unknown as { stream(): void }).stream();
        } catch {
          // As if it did not matter.
        }
        return driver.begin(context);
      },
    }),
    noticed: { "reading is synchronous, and asks no model": "used `stream` of the provider" },
  },
  {
    does: "changes the log",
    of: "json",
    breaks: (driver) => ({
      ...driver,
      begin(context) {
        const [first] = context.log;
        if (first) Object.assign(first, { note: "read" });
        return driver.begin(context);
      },
    }),
    noticed: { "a driver changes nothing": "not extensible" },
  },
  {
    does: "changes the messages",
    of: "native",
    breaks: (driver) => ({
      ...driver,
      begin(context) {
        const messages = (form: "native" | "json" | "xml" | "react") => {
          const all = context.messages(form);
          for (const message of all) if (message.role === "user") message.content += " ";
          return all;
        };
        return driver.begin({ ...context, messages });
      },
    }),
    noticed: { "a driver changes nothing": "read only" },
  },
  {
    does: "opens a turn that was complete",
    of: "json",
    breaks: reads((reading) => {
      let writes = 0;
      return {
        get stage() {
          return writes++ > 2 ? "open" : reading.stage === "open" ? "complete" : reading.stage;
        },
      };
    }),
    noticed: { "the stage of an answer never goes back": "the stages" },
  },
  {
    does: "waits for ever",
    of: "xml",
    breaks: reads(() => ({ grace: Number.POSITIVE_INFINITY })),
    noticed: { "the stage of an answer": "`grace` is null" },
  },
  {
    does: "does not see that the model writes on",
    of: "json",
    breaks: reads((reading) => ({
      get stage() {
        return reading.stage === "surplus" ? "complete" : reading.stage;
      },
    })),
    noticed: { "after its turn, nothing more": "the stage after more words" },
  },
  {
    does: "puts native tools into sessions",
    of: "native",
    breaks: (driver) => ({ ...driver, usesSessions: true }),
    noticed: { "a driver whose requests hold native": "`usesSessions` must be false" },
  },
  {
    does: "calls natively, and does not say so",
    of: "native",
    breaks: (driver) => ({ ...driver, nativeCalls: false }),
    noticed: { "a driver whose requests hold native": "`nativeCalls`" },
  },
  {
    does: "trims each piece",
    of: "native",
    breaks: gives((event) => (event.type === "respond" ? [{ ...event, content: event.content.trim() }] : [event])),
    noticed: { "how an answer is cut": "the log of an answer in pieces" },
  },
  {
    does: "skips space at the ends of what it reads",
    of: "json",
    breaks: reads((reading) => ({
      write: (event) => reading.write(event.type === "text" ? { ...event, text: event.text.trim() } : event),
    })),
    noticed: {
      "how an answer with calls is cut": "the log of an answer in pieces",
      "how an answer with several calls is cut": "the log of an answer in pieces",
    },
  },
  {
    does: "reads no more than five pieces",
    of: "native",
    breaks: reads((reading) => {
      let pieces = 0;
      return { write: (event) => (event.type === "text" && ++pieces > 5 ? [] : reading.write(event)) };
    }),
    noticed: { "every view of a run": "the log" },
  },
  {
    does: "loses text",
    of: "xml",
    breaks: gives((event) => (event.type === "respond" ? [{ ...event, content: event.content.slice(1) }] : [event])),
    noticed: { "text is given as it was written": "the units of the log" },
  },
  {
    does: "shows thinking as text",
    of: "native",
    breaks: gives((event) => (event.type === "think" ? [{ ...event, type: "respond" }] : [event])),
    noticed: { "thinking is kept apart": "the units of the log" },
  },
  {
    does: "counts no units",
    of: "json",
    breaks: gives((event) => (event.type === "think" || event.type === "respond" ? [{ ...event, unit: 1 }] : [event])),
    noticed: { "adjacent units have different numbers": "have the same number, 1" },
  },
  {
    does: "makes a unit of each piece",
    of: "json",
    breaks: (() => {
      let unit = 0;
      return gives((event) => (event.type === "respond" ? [{ ...event, unit: unit++ }] : [event]));
    })(),
    noticed: { "adjacent units have different numbers": "the units that the numbers tell apart" },
  },
  {
    does: "forgets the last call",
    of: "native",
    breaks: reads((reading) => {
      let calls = 0;
      const once = (event: StepEvent) => (event.type === "call" && calls++ === 3 ? [] : [event]);
      return { write: (event) => reading.write(event).flatMap(once) };
    }),
    noticed: { "calls are whole and in order": "the names of the calls" },
  },
  {
    does: "cuts arguments",
    of: "json",
    breaks: gives((event) =>
      event.type === "call" ? [{ ...event, content: event.content.replace("\\n", "") }] : [event],
    ),
    noticed: { "a call is whole": "the calls that ran" },
  },
  {
    does: "keeps the model's ids",
    of: "native",
    breaks: gives((event) => (event.type === "call" ? [{ ...event, id: "toolu_1" }] : [event])),
    noticed: { "the ids of calls": "A call of a driver has no `id`" },
  },
  {
    does: "drops the text beside calls",
    of: "native",
    breaks: reads((reading) => ({
      write: (event) => (event.type === "text" && event.text.startsWith("Let me") ? [] : reading.write(event)),
    })),
    noticed: { "the text before calls is kept": "the order of text and calls" },
  },
  {
    does: "runs each call by itself",
    of: "json",
    breaks: gives((event) => (event.type === "call" ? [event, { type: "execute", timestamp }] : [event])),
    noticed: { "one execute ends the calls of a batch": "the calls of a reply and `execute`" },
  },
  {
    does: "ends every answer with execute",
    of: "native",
    breaks: gives((event) => (event.type === "usage" ? [{ type: "execute", timestamp }, event] : [event])),
    noticed: { "one execute ends a call, and an answer": "calls and an answer: the run must end" },
  },
  {
    does: "speaks after execute",
    of: "native",
    breaks: gives((event) =>
      event.type === "execute" ? [event, { type: "respond", content: "Wait.", timestamp, unit: 99 }] : [event],
    ),
    noticed: { "after execute come only": "the loop takes no" },
  },
  {
    does: "loses a piece of arguments",
    of: "native",
    breaks: gives((event) => (event.type === "call_delta" && event.content.includes("hal") ? [] : [event])),
    noticed: { "pieces of arguments come before": "of call 0" },
  },
  {
    does: "gives pieces of arguments to the wrong call",
    of: "json",
    breaks: gives((event) => (event.type === "call_delta" ? [{ ...event, index: 3 - event.index }] : [event])),
    noticed: { "pieces of arguments say which call": "of call 0" },
  },
  {
    does: "tells usage twice",
    of: "json",
    breaks: gives((event) => (event.type === "usage" ? [event, event] : [event])),
    noticed: { "usage and finish are given exactly once": "the number of `usage` events" },
  },
  {
    does: "does not say why an answer with calls ended",
    of: "native",
    breaks: gives((event) => (event.type === "finish" && event.reason === "tool_calls" ? [] : [event])),
    noticed: { "usage and finish are given exactly once with calls": "the number of `finish` events" },
  },
  {
    does: "estimates what was counted",
    of: "xml",
    breaks: gives((event) =>
      event.type === "usage" ? [{ ...event, usage: { ...event.usage, input: 1, estimated: true } }] : [event],
    ),
    noticed: { "usage is what the provider counted": "must not be an estimate" },
  },
  {
    does: "takes the limit for the end",
    of: "json",
    breaks: gives((event) => (event.type === "finish" ? [{ ...event, reason: "stop" }] : [event])),
    noticed: { "an answer in text that was cut off": "`stop.reason`" },
  },
  {
    does: "drops native blocks",
    of: "json",
    breaks: gives((event) => (event.type === "record" ? [] : [event])),
    noticed: {
      "native blocks of an answer are stored": "the native records of the log",
      "native blocks are stored before": "the native records of the log",
    },
  },
  {
    does: "forgets the text of what was aborted",
    of: "native",
    breaks: reads((reading) => {
      let held: StepEvent[] = [];
      const isText = ({ type }: StepEvent) => type === "respond";
      return {
        write(event) {
          const events = reading.write(event);
          held = [...held, ...events.filter(isText)];
          return events.filter((one) => !isText(one));
        },
        end(ending) {
          const end = reading.end(ending);
          return ending.isAborted ? end : { ...end, events: [...held, ...end.events] };
        },
      };
    }),
    noticed: { "an aborted answer keeps its text": "the text of the run" },
  },
  {
    does: "runs the calls of an answer that was aborted",
    of: "native",
    breaks: reads((reading) => {
      let calls = 0;
      return {
        write(event) {
          const events = reading.write(event);
          calls += events.filter(({ type }) => type === "call").length;
          return events;
        },
        end(ending) {
          const end = reading.end(ending);
          const rest = end.events.filter(({ type }) => type !== "execute");
          return { ...end, events: calls > 0 ? [{ type: "execute", timestamp }, ...rest] : rest };
        },
      };
    }),
    noticed: {
      "an aborted answer gives no calls": "there must be no `execute`",
      "an answer that breaks off runs no calls": "there must be no `execute`",
    },
  },
  {
    does: "takes an answer that broke off for whole",
    of: "json",
    breaks: ends(({ failure: _, ...end }) => end),
    noticed: { "an answer that breaks off keeps its text": 'must end as "failed"' },
  },
  {
    does: "blames itself for the provider",
    of: "json",
    breaks: ends((end, { hasFailed, cause }) => {
      if (hasFailed) throw cause;
      return end;
    }),
    noticed: { "an answer that breaks off keeps its text": 'expected "provider", got "driver"' },
  },
  {
    does: "runs calls that were cut off",
    of: "native",
    breaks: gives((event) => (event.type === "refused" ? [{ type: "execute", timestamp }] : [event])),
    noticed: {
      "calls of an answer that was cut off": "there must be no `execute`",
      "a refused block runs nothing": "",
      "a refused block of several calls": "must give `refused`",
    },
  },
  {
    does: "says nothing of what it refuses",
    of: "native",
    breaks: gives((event) => (event.type === "refused" ? [] : [event])),
    noticed: { "a refused block runs nothing": "must give `refused`" },
  },
  {
    does: "takes a refused block for written",
    of: "xml",
    breaks: ends((end) => ({ ...end, asWritten: true })),
    noticed: { "a refused block runs nothing": "`asWritten` must be false" },
  },
  {
    does: "throws at an empty answer",
    of: "json",
    breaks: reads((reading) => {
      let events = 0;
      return {
        write(event) {
          if (event.type === "text") events++;
          return reading.write(event);
        },
        end(ending) {
          if (events === 0) throw new TypeError("Nothing came.");
          return reading.end(ending);
        },
      };
    }),
    noticed: { "an empty answer is none": "Nothing came." },
  },
  {
    does: "has a system prompt of its own",
    of: "json",
    breaks: asks(() => ({ system: "You are a pirate." })),
    noticed: { "a request holds the system prompt": "`system` must begin with" },
  },
  {
    does: "keeps its tools to itself",
    of: "native",
    breaks: asks(() => ({ tools: [] })),
    noticed: {
      "a request holds the system prompt": "must be told of its tools",
      "an agent without tools": "leave `tools` out",
    },
  },
  {
    does: "forgets the settings",
    of: "native",
    breaks: (driver) => ({ ...driver, begin: (context) => driver.begin({ ...context, request: {} }) }),
    noticed: { "the settings of a request": "the settings" },
  },
  {
    does: "counts its requests",
    of: "json",
    breaks: asks(({ system }) => ({ system: `${system} This is request ${asked++}.` })),
    noticed: {
      "the same log makes the same request": "made from one log",
      "each request begins": "all but the messages",
    },
  },
  {
    does: "shows only the last messages",
    of: "native",
    breaks: asks(({ messages }) => ({
      messages: messages.slice(messages.findLastIndex(({ role }) => role === "user")),
    })),
    noticed: {
      "each request begins": "must hold more messages",
      "each request of a conversation with calls": "the first messages",
      "each request of a conversation with several calls": "the first messages",
    },
  },
  {
    does: "leaves results out",
    of: "native",
    breaks: asks(({ messages }) => ({ messages: messages.filter(({ role }) => role !== "tool") })),
    noticed: { "goes on with a conversation of another driver: calls with": "does not answer its calls" },
  },
  {
    does: "reads no native blocks",
    of: "json",
    breaks: readsNo((event) => event.type === "record" && event.kind === "native"),
    noticed: { "goes on with a conversation of another driver: native": "There is one." },
  },
  {
    does: "reads no refusals",
    of: "native",
    breaks: readsNo((event) => event.type === "record" && event.kind === "rejected"),
    noticed: { "goes on with a conversation of another driver: a refused": "There is one." },
  },
  {
    does: "reads no marks in arguments",
    of: "xml",
    breaks: readsNo((event) => event.type === "call" && event.content.includes("</execute>")),
    noticed: { "goes on with a conversation of another driver: text": "There is one." },
  },
  {
    does: "reads no calls without an id",
    of: "native",
    breaks: readsNo((event) => event.type === "call" && event.id === undefined),
    noticed: { "goes on with a conversation of another driver: calls that were left open": "There is one." },
  },
  {
    does: "shows no pictures",
    of: "native",
    breaks: asks(({ messages }) => ({
      messages: messages.map((message) =>
        message.role === "user" && typeof message.content !== "string"
          ? { ...message, content: message.content.filter(({ kind }) => kind === "text") }
          : message,
      ),
    })),
    noticed: { "goes on with a conversation of another driver: pictures": 'must be able to read "b2Yg' },
  },
  {
    does: "answers itself",
    of: "json",
    breaks: asks(({ messages }) => {
      const last = messages.findLastIndex(({ role }) => role === "assistant");
      return last === -1 ? {} : { messages: messages.slice(0, last + 1) };
    }),
    noticed: { "a log that ends anywhere": "The last message is the assistant's" },
  },
  {
    does: "writes words that others cannot read",
    of: "json",
    breaks: gives((event) => (event.type === "respond" ? [{ ...event, content: btoa(event.content) }] : [event])),
    noticed: { "another driver goes on with its conversation": "must be able to read" },
  },
  {
    does: "fails where a process has died",
    of: "native",
    breaks: readsNo((event) => event.type === "user" && event.origin === "recovery"),
    noticed: { "a run that speaks beside its calls": "There is one." },
  },
  {
    does: "reads no calls that have begun",
    of: "native",
    breaks: readsNo((event) => event.type === "record" && event.kind === "started"),
    noticed: { "a run whose process dies anywhere": "There is one." },
  },
];

describe("the kit notices a driver that", () => {
  it.each(defects)("$does", async ({ of, breaks, declare, noticed }) => {
    const make = driverHarnesses[of];
    if (!make) throw new Error(`There is no harness ${of}.`);
    const cases = driverConformance("broken", () => {
      const harness = make();
      const all = { ...harness.declare, ...declare };
      return { ...harness, driver: (options) => breaks(harness.driver(options)), declare: all };
    });
    for (const [beginning, words] of Object.entries(noticed)) {
      const meant = cases.find(({ name }) => name.startsWith(beginning));
      if (!meant) throw new Error(`The kit has no case that begins with "${beginning}".`);
      await expect(meant.run(), meant.name).rejects.toThrow(words);
    }
  });

  it("in each of its cases", () => {
    const [, ...cases] = driverConformance("json", driverHarnesses.json ?? (() => expect.unreachable()));
    const beginnings = defects.flatMap(({ noticed }) => Object.keys(noticed));
    const unproven = cases.filter(({ name }) => !beginnings.some((beginning) => name.startsWith(beginning)));
    expect(unproven.map(({ name }) => name)).toEqual([]);
  });
});
