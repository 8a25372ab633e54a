import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { echo } from "../test/support/fixtures.ts";
import type { Agent, AgentOptions, RunOptions } from "./agent-options.ts";
import { createAgent } from "./create-agent.ts";
import { protocolDriver } from "./drivers/protocol-driver.ts";
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
      { hookChecks: "off" },
      "`hookChecks` is not an option of createAgent: `hookChecks` belongs in `execution` of createAgent.",
    ],
    [{ approval: {} }, "`approval` is not an option of createAgent: `approval` belongs in `execution` of createAgent."],
    [{ approve: () => true }, "`approve` belongs in the options of run and recover."],
    [{ events: "all" }, "`events` belongs in the options of run and recover."],
    [{ maxOutputTokens: 5 }, "`maxOutputTokens` belongs in `request` of createAgent."],
    [{ temperature: 0 }, "`temperature` belongs in `request` of createAgent. Write `request: { temperature: … }`."],
    [{ steps: 5 }, "`steps` belongs in `budget` of createAgent."],
    [{ ttl: 5 }, "`ttl` belongs in `lease` of createAgent."],
    [{ conversation: "c" }, "`conversation` belongs in the options of run and recover."],
    [{ stream: "token" }, "`stream` belongs in the options of run and recover."],
    [{ instruction: "Be kind." }, "did you mean `instructions`?"],
    [{ sotre: memoryStore() }, "did you mean `store`?"],
    [{ telemetry: true }, "its options are provider, tools, store, fallback, driver, mode,"],
    [{ execution: { memory: 5 } }, "`memory` is not an option of execution: its options are concurrency, timeout,"],
    [{ budget: { words: 5 } }, "`words` is not an option of budget: its options are steps, tokens, cost, toolCalls,"],
    [{ budget: { conversation: { token: 5 } } }, "did you mean `tokens`?"],
    [{ budget: { conversation: { failures: 5 } } }, "`failures` is not an option of budget.conversation"],
    [{ budget: { conversation: 5 } }, "The options of budget.conversation are a number; give an object."],
    [{ budget: { step: 5 } }, "did you mean `steps`?"],
    [{ execution: { approve: () => true } }, "`approve` belongs in the options of run and recover."],
    [{ execution: { registry: {} } }, "`registry` is not an option of execution"],
    [{ execution: { keyRing: {} } }, "`keyRing` belongs in the options of createAgent."],
    [{ execution: { approval: { tools: {} } } }, "`tools` is not an option of execution.approval"],
    [{ execution: { approval: { policy: { default: "deny" } } } }, "its options are tools, annotations, otherwise."],
    [{ request: { max_tokens: 5 } }, "`max_tokens` is not an option of request"],
    [{ lease: { timeout: 5 } }, "`timeout` belongs in `execution` of createAgent."],
    [{ budget: 5 }, "The options of budget are a number; give an object."],
    [{ execution: [] }, "The options of execution are an array; give an object."],
    [{ request: null }, "The options of request are null; give an object."],
    [{ provider: undefined }, "createAgent needs a `provider`"],
    [{ provider: {} }, "`provider` has no method `stream`."],
    [{ provider: "openai" }, "`provider` is a string."],
    [{ store: "conversations.db" }, "`store` is a string."],
    [{ store: Promise.resolve(memoryStore()) }, "`store` has no method `append`. Await it: it is a promise."],
    [{ driver: "react" }, "`driver` is a string."],
    [{ keyRing: ["secret"] }, "`keyRing` has no method `verify`."],
    [{ tools: { echo } }, "`tools` is an object; give an array of tools."],
    [{ tools: Promise.resolve([echo]) }, "`tools` is a promise; await it."],
    [{ toolSearch: { above: 40 } }, "`toolSearch` is no search; give `toolSearch()` of @cogency/agent/tool-search."],
    [{ toolSearch: true }, "`toolSearch` is no search"],
    [{ scope: 5 }, "`scope` is a number; give a string."],
    [{ instructions: ["Be kind."] }, "`instructions` is an array; give a string."],
    [{ warn: true }, "`warn` is a boolean; give a function."],
    [{ clock: 5 }, "`clock` is a number; give a function."],
  ])("refuses %o", (options, message) => {
    const error = thrownBy(() => make(options));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
  });

  it.each<[object, string]>([
    [{ mode: "fast" }, '`mode` is "fast"; give "auto", "replay", "resume".'],
    [{ mode: null }, '`mode` is null; give "auto", "replay", "resume".'],
    [{ mode: {} }, '`mode` is an object; give "auto", "replay", "resume".'],
    [{ budget: { steps: 0 } }, "budget.steps is 0"],
  ])("refuses the value in %o", (options, message) => {
    const error = thrownBy(() => make(options));
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toContain(message);
  });

  it.each([[undefined], [null], ["openai"], [provider]])(
    "refuses a value that is not an options object: %o",
    (options) => {
      expect(() => createAgent(options as never)).toThrow(TypeError);
    },
  );

  it("accepts every option, and every option as undefined", () => {
    const every: Required<AgentOptions> = {
      provider,
      tools: [echo],
      toolSearch: toolSearch(),
      store: memoryStore(),
      fallback: [provider],
      driver: protocolDriver(),
      mode: "auto",
      identity: "You are E.",
      instructions: "Be kind.",
      history: [{ transform: (messages) => messages }],
      budget: { steps: 1, failures: 1, repeats: 1 },
      execution: {
        concurrency: 1,
        timeout: 1,
        approval: { policy: { tools: {}, annotations: {}, otherwise: "ask" }, timeout: 1, content: "ask" },
        hooks: [],
        hookChecks: "off",
        unknownKeys: "strip",
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
      instructionsHold: [],
      lease: { ttl: 1, owner: "me", isGone: () => false },
      clock: () => 1,
      warn: () => {},
    };
    expect(() => createAgent(every)).not.toThrow();
    const none = Object.fromEntries([...Object.keys(every), "hookChecks"].map((name) => [name, undefined]));
    expect(() => make({ ...none, provider })).not.toThrow();
  });
});

describe("run and recover", () => {
  const agent: Agent = make({});

  it.each<[unknown, string]>([
    [undefined, "The prompt is undefined; give a string, or { text, attachments }."],
    [null, "The prompt is null; give a string, or { text, attachments }."],
    [42, "The prompt is a number; give a string, or { text, attachments }."],
    [{ content: "Hi" }, "The prompt is an object; give a string, or { text, attachments }."],
    [["Hi"], "The prompt is an array; give a string, or { text, attachments }."],
    [new String("Hi"), "The prompt is an object; give a string, or { text, attachments }."],
  ])("refuse a prompt that is not a string: %o", (prompt, message) => {
    expect(() => agent.run(prompt as string)).toThrow(new TypeError(message));
  });

  it.each<[object, ErrorConstructor, string]>([
    [{ stream: "tokens" }, RangeError, '`stream` is "tokens"; give "token", "event", null.'],
    [{ stream: true }, RangeError, "`stream` is a boolean"],
    [{ tools: [] }, TypeError, "`tools` belongs in the options of createAgent."],
    [{ approve: true }, TypeError, "`approve` is a boolean; give a function."],
    [{ events: "some" }, RangeError, '`events` is "some"; give "all", "protocol".'],
    [{ budget: { step: 1 } }, TypeError, "`step` is not an option of budget: did you mean `steps`?"],
    [{ verbose: true }, TypeError, "its options are conversation, user, stream, "],
    [{ maxSteps: 5 }, TypeError, "{ budget: { steps: 20 } })`."],
    [{ conversationId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ sessionId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ threadId: "c" }, TypeError, '{ conversation: "trip" })`.'],
    [{ abortSignal: AbortSignal.abort() }, TypeError, "{ signal: AbortSignal.timeout(60_000) })`."],
    [{ onEvent: () => {} }, TypeError, "{ on: (event) => console.log(event.type) })`."],
    [{ timeout: 5 }, TypeError, "write `signal: AbortSignal.timeout(60_000)` to limit the run."],
    [{ conversation: 5 }, TypeError, "`conversation` is a number; give a string."],
    [{ user: { id: 1 } }, TypeError, "`user` is an object; give a string."],
    [{ signal: new AbortController() }, TypeError, "`signal` has no method `addEventListener`."],
    [{ metadata: "m" }, TypeError, "`metadata` is a string; give an object."],
  ])("refuse %o", (options, kind, message) => {
    for (const start of [
      () => agent.run("Hi", options as RunOptions),
      () => agent.recover({ conversation: "c", ...options } as never),
    ]) {
      const error = thrownBy(start);
      expect(error).toBeInstanceOf(kind);
      expect((error as Error).message).toContain(message);
    }
  });

  it("accept `untrusted` only together with a prompt", () => {
    const told = (untrusted: unknown) => thrownBy(() => agent.run("Hi", { untrusted } as never));
    expect(told(true)).toEqual(new TypeError("`untrusted` is a boolean; give a string."));
    expect(() => agent.recover({ conversation: "c", untrusted: "mail" } as never)).toThrow(
      new TypeError("`untrusted` is not an option of recover: `untrusted` belongs in the options of run."),
    );
  });

  it("need a conversation to continue", () => {
    expect(() => agent.recover({} as never)).toThrow(TypeError);
    expect(() => agent.recover(undefined as never)).toThrow(TypeError);
    expect(() => agent.run("Hi", "c" as never)).toThrow(TypeError);
  });
});
