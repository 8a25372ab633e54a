import { type Provider, scripted, zeroUsage } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import type { AnswerEnding, Driver, Reading, ReadingEnd, StepContext, StepEvent } from "../src/drivers/driver.ts";
import { RunError } from "../src/errors.ts";
import { collect, conversation, echo, types } from "./support/fixtures.ts";

const timestamp = 1;
const respond = (content: string): StepEvent => ({ type: "respond", content, timestamp });
const call = (text: string): StepEvent => ({
  type: "call",
  content: JSON.stringify({ name: "echo", args: { text } }),
  timestamp,
});
const execute: StepEvent = { type: "execute", timestamp };
const usage = (input: number, output: number): StepEvent => ({
  type: "usage",
  usage: { ...zeroUsage, input, output },
});
const finish: StepEvent = { type: "finish", reason: "stop" };

/** A reading that gives nothing by itself. */
function reading({ messages }: StepContext, parts: Partial<Reading> = {}): Reading {
  return {
    request: { system: "", messages: messages("json") },
    stage: "open",
    grace: 0,
    write: () => [],
    end: ({ hasFailed, cause }) => {
      if (hasFailed) throw cause;
      return { events: [], asWritten: true };
    },
    ...parts,
  };
}

function driverOf(begin: Driver["begin"]): Driver {
  return { name: "own", batch: {}, begin };
}

/** A driver whose steps each have these readings, one after the other. */
function readings(...each: ((text: string, ending: AnswerEnding) => Omit<ReadingEnd, "next" | "asWritten">)[]): Driver {
  return driverOf((context) => {
    const nth = (index: number): Reading => {
      let text = "";
      return reading(context, {
        write(event) {
          if (event.type === "text") text += event.text;
          return [];
        },
        end(ending) {
          const given = each[index]?.(text, ending);
          if (!given) throw new TypeError("There is no such reading.");
          return { ...given, asWritten: true, ...(index + 1 < each.length && { next: nth(index + 1) }) };
        },
      });
    };
    return nth(0);
  });
}

const result = { tool: "echo", status: "success", content: "x" };

describe("a driver that asks the model twice in a step", () => {
  it("makes one step of both answers, and stores each event once", async () => {
    const store = memoryStore();
    const provider = scripted(["What?", "Hello."]);
    const driver = readings(
      () => ({ events: [respond("I ask again.")] }),
      (text) => ({ events: [{ type: "think", content: "hm", timestamp }, respond(text), finish] }),
    );
    const run = createAgent({ provider, driver, store }).run("go", { conversation });
    expect(types(await collect(run))).toEqual(["user", "respond", "think", "respond", "metric"]);
    expect(await run.result).toMatchObject({ status: "completed", steps: 1, text: "I ask again.\n\nHello." });
    expect(provider.requests).toHaveLength(2);
    expect(types((await store.load({ conversation })).filter(({ type }) => type !== "record"))).toEqual([
      "user",
      "respond",
      "think",
      "respond",
    ]);
  });

  it("may call tools in the second answer", async () => {
    const provider = scripted(["What?", "!echo", "", "It is x."]);
    let step = 0;
    const driver = driverOf((context) => {
      const isFirst = step++ === 0;
      const [one, two] = isFirst ? [[], [call("x"), execute, finish]] : [[], [respond("It is x."), finish]];
      return reading(context, {
        end: () => ({
          events: one,
          asWritten: false,
          next: reading(context, { end: () => ({ events: two, asWritten: true }) }),
        }),
      });
    });
    const store = memoryStore();
    const run = createAgent({ provider, driver, store, tools: [echo] }).run("go", { conversation });
    const events = await collect(run);
    expect(types(events)).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
    expect(events[3]).toMatchObject({ content: JSON.stringify([result]) });
    expect(await run.result).toMatchObject({ status: "completed", steps: 2, text: "It is x." });
  });

  it("asks the model again only when the consumer asks for more", async () => {
    const provider = scripted(["What?", "Hello."]);
    const driver = readings(
      () => ({ events: [respond("I ask again.")] }),
      (text) => ({ events: [respond(text), finish] }),
    );
    const run = createAgent({ provider, driver }).run("go", { stream: "token" });
    for await (const event of run) {
      if (event.type !== "respond") continue;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(provider.requests).toHaveLength(1);
      break;
    }
  });

  it("counts the usage of both answers", async () => {
    const driver = readings(
      () => ({ events: [usage(100, 10)] }),
      (text) => ({ events: [respond(text), usage(120, 5), finish] }),
    );
    const run = createAgent({ provider: scripted(["What?", "Hello."]), driver }).run("go");
    expect((await run.result).usage).toMatchObject({ input: 220, output: 15 });
  });

  it("does not ask again if the run has aborted and the driver does not", async () => {
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["Half"], hang: true }]);
    const driver = driverOf((context) => {
      const read = (): Reading =>
        reading(context, {
          write: (event) => (event.type === "text" ? [respond(event.text)] : []),
          end: ({ isAborted }) =>
            isAborted ? { events: [], asWritten: false } : { events: [], asWritten: false, next: read() },
        });
      return read();
    });
    const run = createAgent({ provider, driver }).run("go", { signal: controller.signal, stream: "token" });
    for await (const event of run) if (event.type === "respond") controller.abort();
    expect(await run.result).toMatchObject({ status: "stopped", text: "Half" });
    expect(provider.requests).toHaveLength(1);
  });

  it("does not ask again if the run has aborted, even if the driver asks to", async () => {
    const controller = new AbortController();
    let asked = 0;
    const provider: Provider = {
      ...scripted([]),
      async *stream(_, { signal } = {}) {
        asked++;
        yield { type: "text", text: "Half" };
        await new Promise((resolve) => {
          if (signal?.aborted) resolve(undefined);
          else signal?.addEventListener("abort", resolve);
        });
      },
    };
    const driver = driverOf((context) => {
      const read = (nth: number): Reading =>
        reading(context, {
          write: (event) => (event.type === "text" ? [respond(event.text)] : []),
          end: () =>
            nth < 5 ? { events: [], asWritten: false, next: read(nth + 1) } : { events: [], asWritten: true },
        });
      return read(1);
    });
    const run = createAgent({ provider, driver }).run("go", { signal: controller.signal, stream: "token" });
    for await (const event of run) if (event.type === "respond") controller.abort();
    expect(await run.result).toMatchObject({ status: "stopped" });
    expect(asked).toBe(1);
  });
});

describe("a driver that reads a block at the end of the answer", () => {
  it.each(["token", "event", null] as const)("runs it, in stream %j", async (stream) => {
    let step = 0;
    const driver = driverOf((context) => {
      const events = step++ === 0 ? [call("x"), execute, usage(1, 1), finish] : [respond("x"), usage(1, 1), finish];
      return reading(context, { end: () => ({ events, asWritten: true }) });
    });
    const store = memoryStore();
    const run = createAgent({ provider: scripted(["a", "b"]), driver, store, tools: [echo] }).run("go", {
      conversation,
      stream,
    });
    expect(types(await collect(run))).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
    expect(await run.result).toMatchObject({ status: "completed", steps: 2, usage: { input: 2, output: 2 } });
  });

  it("runs no call if it gives a failure with it; the calls stay open for `recover`", async () => {
    let ran = 0;
    const tool = defineTool({
      name: "echo",
      description: "Count.",
      input: z.object({ text: z.string() }),
      execute: () => ++ran,
    });
    const failure = new RunError("provider", "The connection broke off.");
    const driver = driverOf((context) =>
      reading(context, { end: () => ({ events: [call("x"), execute], failure, asWritten: false }) }),
    );
    const store = memoryStore();
    const run = createAgent({ provider: scripted(["a"]), driver, store, tools: [tool] }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "failed", error: failure });
    expect(ran).toBe(0);
    expect(types(await store.load({ conversation }, { types: ["call", "result"] }))).toEqual(["call"]);
  });
});

describe("a driver that throws", () => {
  const fault = new TypeError("A mistake of the driver.");
  const faulty = () => {
    throw fault;
  };
  const saying: Reading["write"] = (event) => (event.type === "text" ? [respond(event.text)] : []);

  it.each<[string, (context: StepContext) => Reading, string[]]>([
    ["in `begin`", faulty, ["user"]],
    ["in `write`", (context) => reading(context, { write: faulty }), ["user"]],
    [
      "in a later `write`",
      (context) => {
        let writes = 0;
        return reading(context, { write: (event) => (writes++ === 0 ? saying(event) : faulty()) });
      },
      ["user", "respond", "record"],
    ],
    ["in `end`", (context) => reading(context, { write: saying, end: faulty }), ["user", "respond", "record"]],
  ])("%s ends the run with the code `driver`; what it read before is stored", async (_, begin, stored) => {
    for (const stream of ["token", "event", null] as const) {
      const store = memoryStore();
      const provider = scripted([{ chunks: ["One. ", "Two."] }]);
      const run = createAgent({ provider, driver: driverOf(begin), store }).run("go", { conversation, stream });
      const thrown = await collect(run).catch((error: unknown) => error);
      const { status, error } = await run.result;
      expect([status, error?.code, error?.cause]).toEqual(["failed", "driver", fault]);
      expect(thrown).toBe(error);
      const log = await store.load({ conversation });
      const kept = log.filter((event) => event.type !== "record" || event.kind === "usage");
      // In a non-streaming request both pieces of text are one event.
      expect([...new Set(types(kept))]).toEqual(stored);
    }
  });

  it("in the reading of a second answer ends the run in the same way", async () => {
    const driver = readings(() => ({ events: [respond("I ask again.")] }), faulty);
    const store = memoryStore();
    const run = createAgent({ provider: scripted(["a", "b"]), driver, store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "failed", text: "I ask again.", error: { cause: fault } });
    expect(types(await store.load({ conversation }, { types: ["respond"] }))).toEqual(["respond"]);
  });

  it("after `execute` does not fail the batch: only the exact usage is lost", async () => {
    let step = 0;
    const driver = driverOf((context) => {
      const isFirst = step++ === 0;
      return reading(context, {
        write: (event) => {
          if (event.type !== "text") return isFirst ? faulty() : [];
          return isFirst ? [call("x"), execute] : [respond("It is x.")];
        },
        end: () => ({ events: [finish], asWritten: true }),
      });
    });
    const run = createAgent({ provider: scripted(["a", "b"]), driver, tools: [echo] }).run("go");
    expect(await run.result).toMatchObject({ status: "completed", text: "It is x.", usage: { estimated: true } });
  });
});
