import { type LogEvent, parseResults } from "@cogency/protocol";
import type { Provider } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { google } from "@cogency/provider-google";
import { openai } from "@cogency/provider-openai";
import { memoryStore } from "@cogency/storage";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgent, type RunResult } from "../../src/index.ts";
import { scriptedDriver } from "../../src/scripted.ts";
import { sameLog } from "../../src/testkit/same-log.ts";
import { type Speaker, speakers, type TaskStep } from "./answers.ts";
import { pairsOfCalls, prompt, shopTools, singleCalls } from "./task.ts";

const apiKey = "key-of-the-test";
const wires: Record<string, (url: string) => Provider> = {
  chat: (url) => openai({ api: "chat", baseURL: `${url}/v1`, apiKey }),
  responses: (url) => openai({ api: "responses", baseURL: `${url}/v1`, apiKey }),
  messages: (url) => anthropic({ baseURL: url, apiKey }),
  gemini: (url) => google({ baseURL: url, apiKey }),
};

type DriverName = keyof typeof speakers;
const drivers = Object.keys(speakers) as DriverName[];
const pairs = drivers.flatMap((driver) => Object.keys(wires).map((wire) => ({ driver, wire })));

describe("the same task", () => {
  it.each(pairs)("leaves the same log when $driver does it over $wire, call by call", async ({ driver, wire }) => {
    const { log, result, asked } = await overHttp(singleCalls, driver, wire);
    const scripted = await withoutModel(singleCalls);
    expect(asked).toHaveLength(singleCalls.length);
    expect(summary(result)).toEqual(summary(scripted.result));
    expect(comparable(log)).toEqual(comparable(scripted.log));
  });

  it.each(pairs.filter(({ driver }) => driver !== "react"))(
    "leaves the same log when $driver does it over $wire with two calls in a turn",
    async ({ driver, wire }) => {
      const { log, result, asked } = await overHttp(pairsOfCalls, driver, wire);
      const scripted = await withoutModel(pairsOfCalls);
      expect(asked).toHaveLength(pairsOfCalls.length);
      expect(summary(result)).toEqual(summary(scripted.result));
      expect(comparable(log)).toEqual(comparable(scripted.log));
    },
  );

  it.each(Object.keys(wires))(
    "leaves over %s the same log when ReAct does two calls of a turn in two steps, batches apart",
    async (wire) => {
      const { log, result, asked } = await overHttp(pairsOfCalls, "react", wire);
      const scripted = await withoutModel(pairsOfCalls);
      expect(asked).toHaveLength(5);
      expect(summary(result)).toEqual({ ...summary(scripted.result), steps: 5 });
      expect(comparable(oneByOne(log))).toEqual(comparable(oneByOne(scripted.log)));
    },
  );

  it("offers tools in the fields of the wire with native calls alone", async () => {
    const offered = await Promise.all(
      drivers.map(async (driver) => {
        const { asked } = await overHttp(singleCalls, driver, "chat");
        return [driver, asked.every((body) => body?.tools?.length === 3)];
      }),
    );
    expect(Object.fromEntries(offered)).toEqual({ json: false, xml: false, native: true, react: false });
  });
});

async function overHttp(steps: readonly TaskStep[], name: DriverName, wire: string) {
  const { driver, write }: Speaker = speakers[name]();
  const answers = steps.flatMap(write);
  const server = new LLMock({ port: 0, chunkSize: 5 });
  server.on({}, () => answers.shift() ?? { error: { message: "The task is over." }, status: 400 });
  await server.start();
  onTestFinished(() => server.stop());
  const provider = wires[wire]?.(server.url);
  if (!provider) throw new TypeError(`There is no wire ${wire}.`);
  const done = await doTask({ driver, provider });
  expect(answers).toEqual([]);
  return { ...done, asked: server.getRequests().map(({ body }) => body as { tools?: unknown[] } | null) };
}

async function withoutModel(steps: readonly TaskStep[]) {
  const { driver, provider, assertDone } = scriptedDriver(
    steps.map(({ thinks: think, ...step }) => ("calls" in step ? { think, ...step } : { think, text: step.answers })),
  );
  const done = await doTask({ driver, provider });
  assertDone();
  return done;
}

async function doTask(model: Pick<Parameters<typeof createAgent>[0], "driver" | "provider">) {
  const store = memoryStore();
  const agent = createAgent({ ...model, store, tools: shopTools(), instructions: "You keep a shop." });
  const result = await agent.run(prompt, { conversation: "c", stream: "token" }).result;
  return { result, log: await store.load({ conversation: "c" }) };
}

function summary({ status, text, steps, toolErrors, stop, error }: RunResult) {
  return { status, text, steps, toolErrors, stop, error };
}

/**
 * What must be equal. What may differ: times, ids and sequence numbers, usage and signatures, the order of calls that run side by
 * side, and the blocks of the provider. A call counts as it ran: XML knows text alone, so its log holds `"2"` as the model wrote
 * it, and beside it the call with the number that the schema demands.
 */
function comparable(log: readonly LogEvent[]): unknown[] {
  const ran = new Map(
    log.flatMap((event) =>
      event.type === "record" && event.kind === "started" ? [[event.data.id, event.data.call] as const] : [],
    ),
  );
  const events = log.flatMap((event): LogEvent[] => {
    const { seq: _, ...plain } = event as LogEvent & { seq?: number };
    if (plain.type === "call") return [{ ...plain, content: ran.get(plain.id ?? "") ?? plain.content }];
    if (plain.type !== "record") return [plain];
    if (plain.kind === "native") return [];
    return [plain.kind === "started" ? { ...plain, data: { id: plain.data.id } } : plain];
  });
  return sameLog(events);
}

/** The log as if each call had been a batch of its own. The thought before a batch stands before its first call. */
function oneByOne(log: readonly LogEvent[]): LogEvent[] {
  const calls: LogEvent[] = [];
  return log.flatMap((event): LogEvent[] => {
    if (event.type === "call") {
      calls.push(event);
      return [];
    }
    if (event.type !== "result") return [event];
    const results = parseResults(event.content) ?? [];
    return results.flatMap((result, at): LogEvent[] => {
      const [call] = calls.splice(0, 1);
      const isSuccess = result.status === "success";
      const payload = {
        tools_executed: 1,
        success_count: isSuccess ? 1 : 0,
        failure_count: isSuccess ? 0 : 1,
      };
      const ids = event.ids?.slice(at, at + 1) ?? [];
      return [...(call ? [call] : []), { ...event, content: JSON.stringify([result]), payload, ids }];
    });
  });
}
