import type { LogEvent } from "@cogency/protocol";
import { type ScriptedReply, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type AgentOptions, createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { requestProblem } from "../src/testkit/request-problem.ts";
import { conversation } from "./support/fixtures.ts";
import { call, called, said, stop } from "./support/native.ts";

interface Way {
  options: Partial<AgentOptions>;
  /** A call of `pay` with the arguments as the model writes them. */
  call(args: string): ScriptedReply;
  answer: ScriptedReply;
}

const decided = (answer: string) => JSON.stringify({ type: "final_answer", answer });

/** Every way in which a model writes the arguments of a call. */
const ways: Record<string, Way> = {
  "the text protocol": {
    options: {},
    call: (args) => `<execute>[{"name":"pay","args":${args}}]</execute>`,
    answer: "Done.<end>",
  },
  "native calls": {
    options: { driver: nativeDriver() },
    call: (args) => ({ events: [...call("pay", args), called] }),
    answer: { events: [said("Done."), stop] },
  },
  "native calls beside others": {
    options: { driver: nativeDriver() },
    call: (args) => ({ events: [...call("pay", "{}", "1", 0), ...call("pay", args, "2", 1), called] }),
    answer: { events: [said("Done."), stop] },
  },
  "a decision": {
    options: { driver: reactDriver() },
    call: (args) => `{"type":"call_tool","tool":"pay","args":${args}}`,
    answer: decided("Done."),
  },
  "a decision whose arguments are a text": {
    options: { driver: reactDriver() },
    call: (args) => JSON.stringify({ type: "call_tool", tool: "pay", args }),
    answer: decided("Done."),
  },
};

const lossy = "not a number that can be kept; write it as a string";

/** Texts that `JSON.parse` would take, and what is wrong with them. */
const faults: [string, string, string][] = [
  ["an integer that a number cannot keep", '{"id":2512292042121000001}', lossy],
  ["one that is negative and deep inside", '{"in":[{"ids":[1,-9007199254740993]}]}', lossy],
  ["a number that is infinite", '{"n":1e400}', lossy],
  ["a key that is given twice", '{"id":1,"id":2}', 'the key "id" is given twice or not allowed'],
  ["a key that is given twice in two spellings", '{"id":1,"\\u0069d":2}', 'the key "id" is given twice or not allowed'],
  ["a key that changes objects", '{"__proto__":{"a":1}}', 'the key "__proto__" is given twice or not allowed'],
  ["too many levels", `{"a":${"[".repeat(400)}${"]".repeat(400)}}`, "deeper than 256 levels"],
];

/** Results stand as JSON in the messages of the text protocol. */
const textOf = (messages: unknown) => JSON.stringify(messages).replaceAll("\\", "");

/** Plays a call with these arguments, and an answer. */
async function played({ options, call, answer }: Way, args: string) {
  const ran: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: {}, additionalProperties: true },
    annotations: { readOnlyHint: true },
    execute: (args) => void ran.push(args),
  });
  const provider = scripted([call(args), answer], { capabilities: { tools: true } });
  const store = memoryStore();
  const agent = createAgent({ provider, store, tools: [pay], execution: { earlyStart: false }, ...options });
  const result = await agent.ask("go", { conversation });
  return { result, provider, ran, log: (await store.load({ conversation })) as LogEvent[] };
}

describe.each(Object.entries(ways))("JSON that loses something, in %s", (name, way) => {
  it.each(faults)("runs nothing, and the model reads why: %s", async (_, args, problem) => {
    const { result, provider, ran, log } = await played(way, args);
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    const [, second] = provider.requests;
    expect(textOf(second?.messages)).toContain(problem);
    expect(second && requestProblem(second)).toBeUndefined();
    expect(log.some(({ type }) => type === "call" || type === "result")).toBe(false);
  });

  it("is kept in the log as it came, where it holds what was refused", async () => {
    const args = '{"id":2512292042121000001}';
    const { log } = await played(way, args);
    const kept = log.flatMap((event) =>
      event.type === "record" && event.kind === "rejected" ? [event.data.text] : [],
    );
    // A decision is asked for again in the same step, and nothing is stored of it.
    const expected = name.startsWith("a decision") ? [] : [expect.stringMatching(/2512292042121000001/)];
    expect(kept).toEqual(expected);
  });

  it("runs what loses nothing, as it was written", async () => {
    const args = '{"a":[9007199254740991,-0.5,1e20,1.0],"id":"2512292042121000001","":null}';
    const { ran, log } = await played(way, args);
    expect(ran.at(-1)).toEqual(JSON.parse(args));
    expect(JSON.stringify(log)).toContain("2512292042121000001");
  });
});

describe("the answer of a run for an object", () => {
  const order = z.object({ id: z.number(), note: z.string().optional() });

  it.each<[string, string, string]>([
    ["an integer that a number cannot keep", '{"id":2512292042121000001}', lossy],
    ["a number that is infinite", '```json\n{"id":1e400}\n```\n', lossy],
    ["a key that is given twice", '{"id":1,"id":2}', 'the key "id" is given twice or not allowed'],
  ])("is asked for again for %s", async (_, text, problem) => {
    const provider = scripted([`${text}<end>`, '{"id":7}<end>']);
    const result = await createAgent({ provider }).object("go", order).result;
    expect(result).toMatchObject({ status: "completed", object: { id: 7 }, steps: 2 });
    const [, second] = provider.requests;
    expect(JSON.stringify(second?.messages)).toContain(`Your answer is not valid at character`);
    expect(textOf(second?.messages)).toContain(problem);
  });

  it("may have null for what it leaves out", async () => {
    const provider = scripted(['{"id":7,"note":null}<end>']);
    expect((await createAgent({ provider }).object("go", order).result).object).toEqual({ id: 7 });
  });
});

describe("what the output limit cut off", () => {
  const tokens = { input: 1, output: 300, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const half = '{"text":"a long';
  const cut: Record<string, [Partial<AgentOptions>, ScriptedReply]> = {
    "native calls whose arguments are not whole": [
      { driver: nativeDriver() },
      { events: [...call("pay", half), { type: "usage", usage: tokens }, { type: "finish", reason: "length" }] },
    ],
    "native calls of which only the beginning came": [
      { driver: nativeDriver() },
      {
        events: [
          { type: "tool_call_delta", index: 0, id: "1", name: "pay", arguments: half },
          { type: "usage", usage: tokens },
          { type: "finish", reason: "length" },
        ],
      },
    ],
    "a block": [{}, { chunks: `<execute>[{"name":"pay","args":${half}`, finish: "length", usage: tokens }],
    "a decision": [
      { driver: reactDriver({ maxAttempts: 1 }) },
      { chunks: `{"type":"call_tool","tool":"pay","args":${half}`, finish: "length", usage: tokens },
    ],
  };
  const pay = defineTool({ name: "pay", description: "Pays.", input: z.object({}), execute: () => "paid" });

  it.each(Object.entries(cut))("is told as that: %s", async (_, [options, step]) => {
    const capabilities = { tools: true };
    for (const [request, limit, advice] of [
      [{ maxOutputTokens: 300 }, "at 300 tokens (`maxOutputTokens`)", "Raise `request.maxOutputTokens`"],
      [{}, "at 300 tokens, the output limit of the model", "`request.maxOutputTokens` raises the limit"],
    ] as const) {
      const provider = scripted([step, step], { capabilities });
      const agent = createAgent({ provider, tools: [pay], budget: { failures: 2 }, request, ...options });
      const { error, status } = await agent.ask("go");
      expect([status, error?.code]).toEqual(["failed", "no_progress"]);
      expect(error?.message).toContain(`cut off ${limit}`);
      expect(error?.message).toContain(advice);
      if (provider.requests[1]) expect(JSON.stringify(provider.requests[1].messages)).toContain(`cut off ${limit}`);
    }
  });

  it("is told as that for the answer of a run for an object", async () => {
    const step: ScriptedReply = { chunks: '{"id":', finish: "length", usage: tokens };
    const provider = scripted([step, '{"id":7}']);
    const agent = createAgent({ provider, request: { maxOutputTokens: 300 } });
    const { object } = await agent.object("go", z.object({ id: z.number() })).result;
    expect(object).toEqual({ id: 7 });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain(
      "Your answer was cut off at 300 tokens (`maxOutputTokens`) before it was whole. Answer again, with a whole JSON value that is shorter",
    );
  });
});
