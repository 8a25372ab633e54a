import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { echo } from "../test/support/fixtures.ts";
import type { Agent } from "./agent.ts";
import type { AgentOptions, RunOptions } from "./agent-options.ts";
import { auto } from "./auto.ts";
import { createAgent } from "./create-agent.ts";
import { protocolDriver } from "./drivers/protocol-driver.ts";
import { compaction, slidingWindow, transform } from "./history.ts";
import { nativeDriver } from "./native.ts";
import { reactDriver } from "./react.ts";
import { scriptedDriver } from "./scripted.ts";
import { toolSearch } from "./tool-search.ts";

const provider = scripted([]);
/** As a caller without a type checker. */
const make = (options: object) => createAgent({ provider, ...options } as AgentOptions);
const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("createAgent", () => {
  it.each<[object, string]>([
    [
      { earlyStart: true },
      "createAgent has no option `earlyStart` (given: true). Write `createAgent({ execution: { earlyStart: … } })`.",
    ],
    [{ approval: {} }, "Write `createAgent({ execution: { approval: … } })`."],
    [{ approve: () => true }, "Write `agent.run(prompt, { approve: … })`."],
    [{ events: "all" }, "Write `agent.run(prompt, { events: … })`."],
    [{ maxOutputTokens: 5 }, "Write `createAgent({ request: { maxOutputTokens: … } })`."],
    [{ temperature: 0 }, "Write `createAgent({ request: { temperature: … } })`."],
    [{ steps: 5 }, "Write `createAgent({ budget: { steps: … } })`."],
    [{ policy: {} }, "Write `createAgent({ execution: { approval: { policy: … } } })`."],
    [{ ttl: 5 }, "Write `createAgent({ lease: { ttl: … } })`."],
    [{ conversation: "c" }, "Write `agent.run(prompt, { conversation: … })`."],
    [{ stream: "token" }, "Write `agent.run(prompt, { stream: … })`."],
    [{ instruction: "Be kind." }, "Did you mean `instructions` or `instructionsHold`?"],
    [{ sotre: memoryStore() }, "Did you mean `store`?"],
    [{ telemetry: true }, "Its options are `provider`, `tools`, `sources`, `store`,"],
    [{ execution: { memory: 5 } }, "`execution` of createAgent has no option `memory` (given: 5)."],
    [
      { budget: { words: 5 } },
      "`budget` of createAgent has no option `words` (given: 5). Its options are `steps`, `tokens`,",
    ],
    [{ budget: { conversation: { token: 5 } } }, "Did you mean `tokens`?"],
    [{ budget: { conversation: { failures: 5 } } }, "has no option `failures`"],
    [{ budget: { conversation: 5 } }, "`conversation` is 5; give an object with `steps`,"],
    [{ budget: { step: 5 } }, "Did you mean `steps`?"],
    [{ budget: { steps: null } }, "`steps` is null; give a whole number of at least 1."],
    [{ budget: { steps: "20" } }, "`steps` is a string; give a whole number of at least 1."],
    [{ execution: { approve: () => true } }, "Write `agent.run(prompt, { approve: … })`."],
    [{ execution: { registry: {} } }, "`execution` of createAgent has no option `registry`"],
    [{ execution: { keyRing: {} } }, "Write `createAgent({ keyRing: … })`."],
    [{ execution: { timeout: "5" } }, "`timeout` is a string; give milliseconds above 0."],
    [{ execution: { approval: { tools: {} } } }, "has no option `tools`"],
    [
      { execution: { approval: { policy: { default: "deny" } } } },
      "Its options are `tools`, `annotations`, `otherwise`.",
    ],
    [{ request: { max_tokens: 5 } }, "Write `createAgent({ request: { maxOutputTokens: 4096 } })`."],
    [{ request: { temperature: "cold" } }, "`temperature` is a string"],
    [{ lease: { timeout: 5 } }, "`lease` of createAgent has no option `timeout`"],
    [{ budget: 5 }, "`budget` is 5; give an object with `steps`"],
    [{ execution: [] }, "`execution` is an array; give an object with"],
    [{ request: null }, "`request` is null; give an object with"],
    [{ provider: undefined }, "createAgent needs `provider`"],
    [
      { provider: {} },
      "`provider` is an object; give a provider, such as `openai()` of @cogency/provider-openai returns, which has `stream()`.",
    ],
    [{ provider: "openai" }, "`provider` is a string"],
    [{ provider: { ...provider, name: undefined } }, "`provider` of createAgent needs `name`"],
    [{ provider: { ...provider, model: undefined } }, "`provider` of createAgent needs `model`"],
    [{ provider: { ...provider, capabilities: undefined } }, "`provider` of createAgent needs `capabilities`"],
    [{ fallback: [{ stream() {} }] }, "`fallback[0]` of createAgent needs `name`"],
    [{ provider: Promise.resolve(provider) }, "Await it: it is a promise."],
    [{ store: "conversations.db" }, "`store` is a string"],
    [{ store: Promise.resolve(memoryStore()) }, "Await it: it is a promise."],
    [{ driver: "react" }, "`driver` is a string"],
    [{ keyRing: ["secret"] }, "`keyRing` is an array"],
    [{ tools: { echo } }, "`tools` is an object; give an array of tools."],
    [{ tools: Promise.resolve([echo]) }, "Await it: it is a promise."],
    [{ sources: { name: "docs", tools: () => [] } }, "`sources` is an object; give an array of tool sources."],
    [{ sources: [{ tools: () => [] }] }, "`sources[0]` is an object; give a tool source, with a `name` and `tools()`."],
    [{ sources: [{ name: "docs", tools: [echo] }] }, "give a tool source, with a `name` and `tools()`."],
    [{ toolSearch: { above: 40 } }, "give `toolSearch()` of @cogency/agent/tool-search"],
    [{ toolSearch: true }, "`toolSearch` is true"],
    [{ history: {} }, "give an array, or `compaction()`, `slidingWindow()` or `transform()` of @cogency/agent/history"],
    [{ history: [{}] }, "`history[0]` is an object; give `compaction()`"],
    [{ fallback: provider }, "`fallback` is an object; give an array of providers."],
    [{ fallback: [{}] }, "`fallback[0]` is an object"],
    [{ hooks: [{ name: "redact", onToolEnd() {} }] }, "no point `onToolEnd`. Did you mean `afterToolUse`?"],
    [{ hooks: [{ name: "log", onFinish() {} }] }, "no point `onFinish`. Did you mean `afterRun`?"],
    [{ hooks: [{ name: "empty" }] }, "has no point, so it would never be called. Its points are `beforePrompt`,"],
    [{ prices: { m: { input: 1 } } }, "needs `output`"],
    [{ prices: { m: { input: "1", output: 1 } } }, "`input` is a string"],
    [{ scope: 5 }, "`scope` is 5; give a string."],
    [{ instructions: ["Be kind."] }, "`instructions` is an array; give a string."],
    [{ warn: true }, "`warn` is true; give a function."],
    [{ clock: 5 }, "`clock` is 5; give a function."],
    [{ mode: null }, '`mode` is null; give one of "auto", "replay", "resume".'],
    [{ mode: {} }, '`mode` is an object; give one of "auto", "replay", "resume".'],
  ])("refuses %o", (options, message) => {
    const error = thrownBy(() => make(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringContaining(message) });
  });

  it.each<[object, string]>([
    [{ mode: "fast" }, '`mode` is "fast"; give one of "auto", "replay", "resume".'],
    [{ budget: { steps: 0 } }, "`steps` is 0"],
    [{ budget: { steps: Number.NaN } }, "`steps` is NaN"],
    [{ budget: { seconds: -1 } }, "`seconds` is -1; give seconds above 0."],
    [{ budget: { cost: 0 } }, "`cost` is 0; give an amount of money above 0."],
    [{ budget: { conversation: { toolCalls: 1.5 } } }, "`toolCalls` is 1.5"],
    [{ request: { maxOutputTokens: 0 } }, "`maxOutputTokens` is 0"],
    [{ request: { model: "" } }, "`model` is an empty string"],
    [{ lease: { ttl: 0 } }, "`ttl` is 0"],
    [{ attachments: { maxBytes: 0 } }, "`maxBytes` is 0"],
    [{ prices: { m: { input: -1, output: 1 } } }, "`input` is -1; give money per million tokens of at least 0."],
  ])("refuses the value in %o", (options, message) => {
    const error = thrownBy(() => make(options));
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringContaining(message) });
  });

  it.each([[undefined], [null], ["openai"], [provider]])(
    "refuses a value that is not an options object: %o",
    (options) => {
      expect(() => createAgent(options as never)).toThrow(TypeError);
    },
  );

  it("accepts every option, and every option as undefined", () => {
    const every: Required<Omit<AgentOptions, "model">> = {
      provider,
      tools: [echo],
      sources: [{ name: "docs", tools: () => [] }],
      toolSearch: toolSearch(),
      store: memoryStore(),
      fallback: [provider],
      driver: protocolDriver(),
      mode: "auto",
      identity: "You are E.",
      instructions: "Be kind.",
      instructionsOfRun: [() => "Be brief."],
      history: [{ transform: (messages) => messages }],
      budget: { steps: 1, failures: 1, repeats: 1 },
      execution: {
        concurrency: 1,
        timeout: 1,
        approval: { policy: { tools: {}, annotations: {}, otherwise: "ask" }, timeout: 1, content: "ask" },
        hooks: [],
        maxResultBytes: 1000,
        throwOnToolFailure: false,
        stopOnToolBlock: false,
        earlyStart: true,
      },
      hooks: [],
      request: { model: "m", maxOutputTokens: 1, temperature: 0, stop: [], options: {} },
      attachments: { maxBytes: 1, maxRequestBytes: 1 },
      prices: {},
      keyRing: createKeyRing(["k".repeat(32)]),
      whenUnanswered: "wait",
      scope: "/home/ada",
      recordRequests: true,
      instructionsHold: [{ holds: "private", source: "AGENTS.md" }],
      lease: { ttl: 1, owner: "me", isGone: () => false },
      live: false,
      clock: () => 1,
      warn: () => {},
    };
    expect(() => createAgent(every)).not.toThrow();
    const none = Object.fromEntries(Object.keys(every).map((name) => [name, undefined]));
    expect(() => make({ ...none, provider })).not.toThrow();
  });
});

describe("run and recover", () => {
  const agent: Agent = make({});

  it.each<[unknown, string]>([
    [undefined, "The prompt is undefined; give a string, or { text, attachments }."],
    [null, "The prompt is null; give a string, or { text, attachments }."],
    [42, "The prompt is 42; give a string, or { text, attachments }."],
    [{ content: "Hi" }, "The prompt is an object; give a string, or { text, attachments }."],
    [["Hi"], "The prompt is an array; give a string, or { text, attachments }."],
    [new String("Hi"), "The prompt is an object; give a string, or { text, attachments }."],
  ])("refuse a prompt that is not a string: %o", (prompt, message) => {
    expect(() => agent.run(prompt as string)).toThrow(message);
  });

  it.each<[object, ErrorConstructor, string]>([
    [{ stream: "tokens" }, RangeError, '`stream` is "tokens"; give one of "token", "event", null.'],
    [{ stream: true }, TypeError, "`stream` is true"],
    [{ tools: [] }, TypeError, "Write `createAgent({ tools: … })`."],
    [{ approve: true }, TypeError, "`approve` is true; give a function."],
    [{ events: "some" }, RangeError, '`events` is "some"; give one of "all", "protocol".'],
    [{ budget: { step: 1 } }, TypeError, "has no option `step` (given: 1). Did you mean `steps`?"],
    [{ budget: { steps: null } }, TypeError, "`steps` is null"],
    [{ verbose: true }, TypeError, "Its options are "],
    [{ maxSteps: 5 }, TypeError, "{ budget: { steps: 20 } })`."],
    [{ conversationId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ sessionId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ threadId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ abortSignal: AbortSignal.abort() }, TypeError, "{ signal: AbortSignal.timeout(60_000) })`."],
    [{ onEvent: () => {} }, TypeError, "{ on: (event) => console.log(event.type) })`."],
    [{ timeout: 5 }, TypeError, "Write `agent.run(prompt, { signal: AbortSignal.timeout(60_000) })`."],
    [{ conversation: 5 }, TypeError, "`conversation` is 5; give a string that is not empty."],
    [{ conversation: "" }, RangeError, "`conversation` is an empty string"],
    [{ user: "" }, RangeError, "`user` is an empty string"],
    [{ user: { id: 1 } }, TypeError, "`user` is an object"],
    [{ atLimit: 5 }, TypeError, "`atLimit` is 5; give a function."],
    [{ signal: new AbortController() }, TypeError, "`signal` is an object; give an AbortSignal"],
    [{ metadata: "m" }, TypeError, "`metadata` is a string; give an object."],
  ])("refuse %o", (options, kind, message) => {
    for (const start of [
      () => agent.run("Hi", options as RunOptions),
      () => agent.ask("Hi", options as RunOptions),
      () => agent.recover({ conversation: "c", ...options } as never),
    ]) {
      const error = thrownBy(start);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ code: "invalid_option", message: expect.stringContaining(message) });
    }
  });

  it("accept `untrusted` only together with a prompt", () => {
    expect(() => agent.run("Hi", { untrusted: true } as never)).toThrow("`untrusted` is true; give a string.");
    expect(() => agent.recover({ conversation: "c", untrusted: "mail" } as never)).toThrow(
      "recover has no option `untrusted` (given: a string). Write `agent.run(prompt, { untrusted: … })`.",
    );
  });

  it("need a conversation to continue", () => {
    expect(() => agent.recover({} as never)).toThrow("recover needs `conversation`");
    expect(() => agent.recover(undefined as never)).toThrow(TypeError);
    expect(() => agent.run("Hi", "c" as never)).toThrow(TypeError);
  });
});

describe("every other function that takes options", () => {
  const agent: Agent = make({});
  const to = { conversation: "c" };

  it.each<[what: string, work: () => unknown, message: string]>([
    ["object", () => agent.object("Hi", {}, { stream: "token" } as never), "object has no option `stream`"],
    ["object", () => agent.object("Hi", {}, { budget: { steps: 0 } }), "`steps` is 0"],
    ["fork", () => agent.fork("c", { as: "" }), "fork: `as` is an empty string"],
    ["fork", () => agent.fork(""), "fork: `conversation` is an empty string"],
    ["fork", () => agent.fork(undefined as never), "fork needs `conversation`"],
    ["fork", () => agent.fork("c", { name: "d" } as never), "fork has no option `name`"],
    ["fork", () => agent.fork("c", { at: "5" as never }), "fork: `at` is a string; give a number of events."],
    [
      "send",
      () => agent.send(to, { kind: "approved", question: "q" } as never),
      '`kind` is "approved"; give one of "prompt", "steer", "notice", "approve", "deny", "answer", "cancel", "title", "point".',
    ],
    ["send", () => agent.send(to, { kind: "prompt" } as never), "needs `content`: a string."],
    ["send", () => agent.send(to, { kind: "prompt", text: "Hi" } as never), "Did you mean `content`?"],
    ["send", () => agent.send(to, { kind: "approve" } as never), "needs `question`"],
    ["send", () => agent.send(to, { kind: "answer", question: "q" } as never), "needs `content`"],
    ["send", () => agent.send(to, { kind: "deny", question: "q", why: "no" } as never), "no option `why`"],
    ["send", () => agent.send(to, "Hi" as never), "needs `kind`"],
    ["send", () => agent.send({ conversation: "" }, { kind: "cancel" }), "`conversation` is an empty string"],
    ["send", () => agent.send({ threadId: "c" } as never, { kind: "cancel" }), "Did you mean `conversation`?"],
    ["send", () => agent.send(to, { kind: "cancel" }, { At: 5 } as never), "Did you mean `at`?"],
    ["sweep", () => agent.sweep({ concurency: 2 } as never), "Did you mean `concurrency`?"],
    ["sweep", () => agent.sweep({ concurrency: 0 }), "`concurrency` is 0"],
    ["use", () => agent.use({ tools: [] } as never), "use needs `name`"],
    ["use", () => agent.use({ name: "a", tool: [] } as never), "Did you mean `tools`?"],
    ["compaction", () => compaction({ window: 8000, maxTokens: 5 } as never), "compaction has no option `maxTokens`"],
    ["compaction", () => compaction({ window: 10 }), "`window` is 10"],
    ["compaction", () => compaction({ window: 8000, at: 80 }), "`at` is 80; give a share above 0, at most 1."],
    ["slidingWindow", () => slidingWindow({ round: 5 } as never), "Did you mean `rounds`?"],
    ["slidingWindow", () => slidingWindow({ rounds: 0 }), "`rounds` is 0"],
    [
      "transform",
      () => transform({} as never),
      "transform: `change` is an object; give a function from messages to messages.",
    ],
    ["toolSearch", () => toolSearch({ max: 5 } as never), "Did you mean `limit`?"],
    ["nativeDriver", () => nativeDriver({ tool_choice: "required" } as never), "Did you mean `toolChoice`?"],
    ["nativeDriver", () => nativeDriver({ toolChoice: "any" as never }), "toolChoice"],
    ["protocolDriver", () => protocolDriver({ dialekt: "xml" } as never), "Did you mean `dialect`?"],
    ["protocolDriver", () => protocolDriver({ dialect: "yaml" as never }), '`dialect` is "yaml"'],
    ["reactDriver", () => reactDriver({ maxAttempt: 5 } as never), "Did you mean `maxAttempts`?"],
    ["reactDriver", () => reactDriver({ maxAttempts: 0 }), "`maxAttempts` is 0"],
    ["scriptedDriver", () => scriptedDriver([{ txt: "Hi" } as never]), "Did you mean `text`?"],
    ["scriptedDriver", () => scriptedDriver("Hi" as never), "`steps` is a string; give an array of steps."],
    ["auto", () => auto({ natives: {} } as never), "Did you mean `native`?"],
    ["auto", () => auto({ native: { tool_choice: "auto" } } as never), "Did you mean `toolChoice`?"],
  ])("%s refuses wrong ones", async (_, work, message) => {
    const error = await (async () => work())().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain(message);
  });

  it("a scripted driver can be spread into the options of an agent", async () => {
    const script = scriptedDriver(["Hello."]);
    expect(await createAgent({ ...script }).ask("Hi")).toMatchObject({ status: "completed", text: "Hello." });
    script.assertDone();
    expect(script.requests).toHaveLength(1);
  });
});
