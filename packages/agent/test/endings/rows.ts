import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ProviderError, type ScriptedStep, scripted } from "@cogency/provider";
import { type Lease, memoryStore, type Store, StoreError } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { vi } from "vitest";
import type { Driver } from "../../src/driver.ts";
import { compaction } from "../../src/history.ts";
import { type AgentOptions, createAgent, type Run, type RunOptions, type RunResult } from "../../src/index.ts";
import { block, conversation } from "../support/fixtures.ts";
import { type Ends, keyRing, type Stage, tools } from "./stage.ts";

const call = (name: string, args: object = {}) => block([name, args]);
const usage = (input: number) => ({ input, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
const echoes = (text: string, input = 10): ScriptedStep => ({ chunks: call("echo", { text }), usage: usage(input) });
const half: ScriptedStep = { chunks: ["Half", " an"], hang: true };
const usual = { request: { maxOutputTokens: 100 } };
const prices = { "scripted-1": { input: 1000, output: 1000 } };

/** A run that ends by itself. */
const by =
  (steps: readonly ScriptedStep[], options: Partial<AgentOptions> = {}, run: RunOptions = {}): Ends =>
  ({ start }) =>
    start(steps, options, run).result;

/** A run whose signal aborts after the first words. */
const abortedBy =
  (reason?: unknown): Ends =>
  async ({ start }) => {
    const controller = new AbortController();
    const run = start([half], {}, { signal: controller.signal, stream: "token" });
    for await (const event of run) if (event.type === "respond") controller.abort(reason);
    return run.result;
  };

const stoppedBy = (reason: "completed" | "error" | "unknown") =>
  by(["Hello.<end>"], { hooks: [{ name: "stopper", beforeStep: () => ({ stop: { reason, message: "Enough." } }) }] });

const timeIsUp = () => new DOMException("The time is over.", "TimeoutError");

/** Waits until the run has shown words of the model, and pulls the rest of its events meanwhile. */
async function untilWords(run: Run): Promise<void> {
  const said = Promise.withResolvers<void>();
  void (async () => {
    for await (const event of run) if (event.type === "respond") said.resolve();
  })().catch(said.reject);
  await said.promise;
}

async function cancelledByMessage({ start, store }: Stage) {
  const run = start([half], {}, { stream: "token" });
  await untilWords(run);
  await createAgent({ provider: scripted([]), tools, store, keyRing }).send({ conversation }, { kind: "cancel" });
  return run.result;
}

async function left({ start }: Stage) {
  const run = start([half], {}, { stream: "token" });
  for await (const event of run) if (event.type === "respond") break;
  return run.result;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function dropped({ start }: Stage) {
  const run = start(["Hello.<end>"]);
  // Not in this function: its frame would hold the iterator.
  await (() => run[Symbol.asyncIterator]().next())();
  let result: RunResult | undefined;
  void run.result.then((ended) => {
    result = ended;
  });
  for (let round = 0; round < 250 && !result; round++) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  return result;
}

async function outOfTime({ start }: Stage) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const run = start([half], { budget: { seconds: 60 } }, { stream: "token" });
    await untilWords(run);
    await vi.advanceTimersByTimeAsync(60_000);
    return await run.result;
  } finally {
    vi.useRealTimers();
  }
}

/** The store of a stage of which `append` goes wrong after the prompt. */
function failing(store: Store, fail: () => Promise<never>): Store {
  let asked = 0;
  return { ...store, append: (...given) => (asked++ === 0 ? store.append(...given) : fail()) };
}

const hangingStore =
  (reason?: unknown) =>
  async ({ start, store }: Stage) => {
    const controller = new AbortController();
    const hangs = failing(store, () => new Promise(() => {}));
    const run = start([half], { store: hangs }, { signal: controller.signal, stream: "token" });
    await untilWords(run);
    controller.abort(reason);
    return run.result;
  };

async function busy({ start, store }: Stage) {
  const lease = await store.lease({ conversation }, { owner: "another", ttl: 60_000 });
  try {
    return await start(["Hello.<end>"]).result;
  } finally {
    await lease.release();
  }
}

/** The lease of the run runs out while its call runs, and another run takes the conversation. */
async function overtaken({ start, store, time }: Stage) {
  const taken = Promise.withResolvers<Lease>();
  const slow = defineTool({
    name: "slow",
    description: "Takes long.",
    input: { type: "object" },
    async execute() {
      time.now += 60_000;
      taken.resolve(await store.lease({ conversation }, { owner: "another", ttl: 600_000 }));
    },
  });
  const result = await start([call("slow"), "Done.<end>"], { tools: [...tools, slow] }).result;
  await (await taken.promise).release();
  return result;
}

async function promptsSubagent({ start, store }: Stage) {
  const data = { conversation: "root", call: "call_1", root: "root", agents: ["finder"] };
  await store.append({ conversation }, [
    { type: "record", kind: "parent", data, timestamp: 0 },
    { type: "user", content: "Find it.", timestamp: 0 },
  ]);
  return start([]).result;
}

async function iteratedTwice({ start }: Stage) {
  const run = start(["Hello.<end>"]);
  for await (const _ of run);
  let error: unknown;
  try {
    run[Symbol.asyncIterator]();
  } catch (thrown) {
    error = thrown;
  }
  // The iteration throws; the result is that of the run.
  return { ...(await run.result), error: error as never };
}

/** What a killed process leaves: the log of a run in the middle of an answer. */
async function killed({ start, store, heard }: Stage) {
  const controller = new AbortController();
  const elsewhere = memoryStore();
  const run = start([half], { store: elsewhere }, { signal: controller.signal, stream: "token" });
  await untilWords(run);
  const log = await elsewhere.load({ conversation });
  const told = heard.length;
  await store.append(
    { conversation },
    log.map(({ seq: _, ...event }) => event),
  );
  controller.abort();
  await run.result;
  heard.length = told;
  return undefined;
}

/** Two steps of one run use up what the conversation has. */
const conversationLimit = (budget: AgentOptions["budget"], more: Partial<AgentOptions> = {}) =>
  by([echoes("a", 2000), echoes("b", 2000)], { ...usual, budget: { conversation: budget ?? {} }, ...more });

const throwing: Driver = {
  name: "throwing",
  begin: () => {
    throw new TypeError("no");
  },
} as unknown as Driver;

/** One run for each row of the page, by its name. */
export const rows: Readonly<Record<string, Ends>> = {
  "the model answered": by(["Hello.<end>"]),
  "the answer reached the output limit": by([{ chunks: "Hel", finish: "length" }]),
  "the provider filtered the answer": by([{ chunks: "Hel", finish: "content_filter" }]),
  "a tool ended it (`StopRun`), the work being done": by([call("finish", { reason: "completed" })]),
  "a tool stopped it (`StopRun`)": by([call("finish", { reason: "stop_requested" })]),
  "a hook ended it, the work being done": stoppedBy("completed"),
  "a hook stopped it because of an error": stoppedBy("error"),
  "a hook stopped it for a reason without a name": stoppedBy("unknown"),

  "`budget.steps`": by([echoes("a"), echoes("b")], { budget: { steps: 2 } }),
  "`budget.tokens`": by([echoes("a", 2000), echoes("b", 4000)], { ...usual, budget: { tokens: 2050 } }),
  "`budget.cost`": by([echoes("a", 2000), echoes("b", 2000)], { ...usual, prices, budget: { cost: 3 } }),
  "`budget.toolCalls`": by([echoes("a"), echoes("b")], { budget: { toolCalls: 1 } }),
  "`budget.seconds`": outOfTime,
  "`budget.repeats`": by([echoes("a"), echoes("a")], { budget: { repeats: 2 } }),
  "`budget.failedCalls`": by(
    Array.from({ length: 4 }, (_, n) => call("broken", { n })),
    { budget: { failedCalls: 2 } },
  ),
  "`budget.continuations`": by(["One.<end>", "Two.<end>"], {
    budget: { continuations: 1 },
    hooks: [{ name: "more", afterStep: () => ({ continue: "Again." }) }],
  }),
  "`budget.conversation.steps`": conversationLimit({ steps: 1 }),
  "`budget.conversation.tokens`": conversationLimit({ tokens: 2050 }),
  "`budget.conversation.cost`": conversationLimit({ cost: 3 }, { prices }),
  "`budget.conversation.toolCalls`": conversationLimit({ toolCalls: 1 }),

  "a call needs approval": by([call("act")]),
  "a call asks a person": by([call("asking")], {}, { approve: async () => true }),

  "its `signal` aborted": abortedBy(),
  "its `signal` aborted by a TimeoutError": abortedBy(timeIsUp()),
  "its consumer left": left,
  "its iterator was dropped": dropped,
  "a `cancel` message came": cancelledByMessage,
  "it was aborted, and its store hung": hangingStore(),
  "its `signal` aborted by a TimeoutError, and its store hung": hangingStore(timeIsUp()),

  "the provider failed": by([{ chunks: "Half", error: new ProviderError("server", "down") }]),
  "the request does not fit into the model's window": by([], {
    history: compaction({ window: 1000 }),
    instructions: "word ".repeat(5000),
  }),
  "the model wrote nothing usable, `budget.failures` times": by(["<execute>[{]</execute>"], {
    budget: { failures: 1 },
  }),
  "the store failed": ({ start, store }) =>
    start(["Hello.<end>"], { store: failing(store, () => Promise.reject(new StoreError("full", "No room."))) }).result,
  "another run holds the conversation": busy,
  "another run took the conversation when its lease ran out": overtaken,
  "the driver threw": by([], { driver: throwing }),
  "a call failed, with `throwOnToolFailure`": by([call("broken")], { execution: { throwOnToolFailure: true } }),
  "a hook that guards threw": by(["Hello.<end>"], {
    hooks: [
      {
        name: "guard",
        beforeStep: () => {
          throw new Error("no");
        },
      },
    ],
  }),
  "a hook refused the prompt": by([], { hooks: [{ name: "guard", beforePrompt: () => ({ refuse: "no" }) }] }),
  "the key ring did not sign": by(["Hello.<end>"], {
    keyRing: { ...keyRing, sign: () => Promise.reject(new Error("no key")) },
  }),
  "the model does not take an attachment": async ({ store, heard }) =>
    createAgent({ provider: scripted([]), tools, store, keyRing }).ask(
      {
        text: "read",
        attachments: [{ kind: "file", mediaType: "application/pdf", data: { url: "https://example.com/a.pdf" } }],
      },
      { conversation, on: (event) => void heard.push(event) },
    ),
  "`recover` of an empty conversation": async ({ store, heard }) =>
    createAgent({ provider: scripted([]), tools, store, keyRing }).recover({
      conversation,
      on: (event) => void heard.push(event),
    }).result,
  "it was to prompt an agent that a call has started": promptsSubagent,
  "a second iteration": iteratedTwice,
  "its process was killed": killed,
};
