import type { Agent } from "@cogency/agent";
import type { LogEvent, RecordContent } from "@cogency/protocol";
import { partsOf } from "@cogency/protocol/parts";
import { type ModelEvent, type Provider, ProviderError, type ProviderErrorCode } from "@cogency/provider";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { healthHandler, type Worker, type WorkerOptions } from "../src/index.ts";
import { agentOn, beginWorker, prompt } from "./support/begin-worker.ts";
import { deciding } from "./support/model.ts";

const here = { conversation: "c" };
const minute = 60_000;
const secret = "sk-canary-of-the-server";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
});
afterEach(() => void vi.useRealTimers());

/** Lets the time pass as the store and the worker see it. While a conversation runs or can be claimed, it passes slowly. */
async function passOf(store: Store, worker: Worker, milliseconds: number): Promise<void> {
  const until = Date.now() + milliseconds;
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = (await store.nextWake()) ?? Number.POSITIVE_INFINITY;
    const { claims } = await store.queue();
    const isBusy = next <= Date.now() || claims.length > 0 || worker.health().running.length > 0;
    if (!isBusy && Date.now() >= until) return;
    await vi.advanceTimersByTimeAsync(isBusy ? 1 : Math.min(next, until) - Date.now());
  }
}

/** A model that fails in some way until it is mended. */
function failing(failure: () => unknown) {
  const model = { isMended: false, times: [] as number[] };
  const provider = deciding(() => {
    model.times.push(Date.now());
    if (!model.isMended) throw failure();
    return "Hello.";
  });
  return Object.assign(model, { provider });
}

type NoticeData = Extract<RecordContent, { kind: "notice" }>["data"];

const noticesIn = (log: readonly LogEvent[]): NoticeData[] =>
  log.flatMap((event) => (event.type === "record" && event.kind === "notice" ? [event.data] : []));
/** Seconds from each notice to the try that it promises. */
const waitsIn = (log: readonly LogEvent[]): number[] =>
  log.flatMap((event) =>
    event.type === "record" && event.kind === "notice" && event.data.retryAt
      ? [event.data.retryAt - event.timestamp]
      : [],
  );
const kinds = (log: readonly LogEvent[]) => log.map((event) => (event.type === "record" ? event.kind : event.type));
const gapsOf = (times: readonly number[]) => times.slice(1).map((time, i) => time - (times[i] as number));

/** Begins a worker, and sends a prompt to it. */
async function troubled(
  agentOptions: Parameters<typeof beginWorker>[1],
  options: Partial<WorkerOptions> = {},
  store: Store = memoryStore(),
) {
  const begun = await beginWorker(store, agentOptions, { lookEvery: 1000, ...options });
  await begun.agent.send(here, prompt);
  const pass = (milliseconds: number) => passOf(store, begun.worker, milliseconds);
  await pass(0);
  return { ...begun, store, pass };
}

async function noticesOf(store: Store): Promise<NoticeData[]> {
  return noticesIn(await store.load(here));
}

describe("a failure of a run", () => {
  it("leaves a notice with its code, a sentence and the time of the next try, which parts show", async () => {
    const { provider } = failing(() => new ProviderError("authentication", `No: ${secret}`, { status: 401 }));
    const { store } = await troubled({ provider });
    const log = await store.load(here);
    const [notice] = noticesIn(log);
    const message = expect.stringMatching(/^The server of the model does not accept the key .* tried again by itself/);
    expect(notice).toEqual({ code: "authentication", message, retryAt: expect.any(Number) });
    const [wait] = waitsIn(log);
    expect(wait).toBeGreaterThan(0.74);
    expect(wait).toBeLessThan(1.01);
    expect(partsOf(log).at(-1)).toEqual({ type: "notice", ...notice, open: true });
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  it("leaves no usage where nothing was used", async () => {
    const { provider } = failing(() => new ProviderError("connection", "No."));
    const { store, pass } = await troubled({ provider });
    await pass(minute);
    expect(kinds(await store.load(here))).not.toContain("usage");
  });

  it("is over once the model answers, and the next one is counted anew", async () => {
    const model = failing(() => new ProviderError("server", "500"));
    const { store, agent, pass } = await troubled({ provider: model.provider });
    await pass(20_000);
    model.isMended = true;
    await pass(minute);
    const parts = partsOf(await store.load(here));
    expect(parts.slice(-3)).toMatchObject([{ type: "notice" }, { type: "text", content: "Hello." }, { type: "end" }]);
    expect(parts.filter((part) => "open" in part)).toEqual([]);
    model.isMended = false;
    const before = (await store.load(here)).length;
    await agent.send(here, prompt);
    await pass(0);
    expect(waitsIn((await store.load(here)).slice(before))[0]).toBeLessThan(1.01);
  });

  const refused = (code: ProviderErrorCode) => () => new ProviderError(code, "No.");
  it.each<[code: string, tries: number, failure: () => unknown]>([
    ["not_found", 3, refused("not_found")],
    ["bad_request", 3, refused("bad_request")],
    ["quota", 3, () => new ProviderError("rate_limit", "Used up.", { retryable: false, retryAfter: 1 })],
    ["provider", 3, () => new Error("an error of a provider that throws no ProviderError")],
    ["authentication", 6, refused("authentication")],
    ["permission", 6, refused("permission")],
    ["missing_key", 6, refused("missing_key")],
  ])(
    "that somebody has to mend parks the conversation after the attempts: %s, %d times",
    async (code, tries, failure) => {
      const model = failing(failure);
      const { store, verdicts, agent, pass } = await troubled({ provider: model.provider }, { attempts: 3 });
      await pass(10 * minute);
      expect(verdicts()).toEqual([...Array.from({ length: tries - 1 }, () => "later provider"), "parked"]);
      expect(model.times).toHaveLength(tries);
      const notices = await noticesOf(store);
      expect(notices.map((notice) => notice.code)).toEqual(Array.from({ length: tries }, () => code));
      expect(notices.at(-1)).toEqual({ code, message: expect.stringContaining("not tried again"), parked: true });
      expect(await store.parked()).toMatchObject([{ key: here, reason: expect.stringContaining(`(${code})`) }]);
      model.isMended = true;
      await store.unpark(here);
      await agent.send(here, prompt);
      await pass(minute);
      expect((await store.load(here)).filter(({ type }) => type === "respond")).toHaveLength(2);
    },
  );

  it("of a key is tried for some minutes, and not parked if the new key counts by then", async () => {
    const model = failing(refused("authentication"));
    const { store, pass } = await troubled({ provider: model.provider });
    await pass(6 * minute);
    expect(await store.parked()).toEqual([]);
    expect(Math.max(...gapsOf(model.times))).toBeGreaterThan(90_000);
    model.isMended = true;
    await pass(5 * minute);
    expect((await store.load(here)).some(({ type }) => type === "respond")).toBe(true);
  });

  it("parks a conversation that a cancel releases: it is read, and the model is not asked again", async () => {
    const model = failing(refused("not_found"));
    const { store, verdicts, agent, pass } = await troubled({ provider: model.provider }, { attempts: 2 });
    await pass(minute);
    expect(await store.parked()).toHaveLength(1);
    await agent.send(here, { kind: "cancel" });
    await pass(minute);
    expect([verdicts().at(-1), await store.parked(), await store.inbox(here)]).toEqual(["done", [], []]);
    expect(kinds(await store.load(here)).slice(-2)).toEqual(["message", "cancelled"]);
    expect(model.times).toHaveLength(2);
  });

  it("parks no conversation whose cancel came while it was being parked", async () => {
    const store = memoryStore();
    const model = failing(refused("not_found"));
    const begun: { agent?: Agent } = {};
    const racing: Store = {
      ...store,
      async park(...given) {
        await begun.agent?.send(here, { kind: "cancel" });
        return store.park(...given);
      },
    };
    begun.agent = agentOn(store, { provider: model.provider });
    const { verdicts, pass } = await troubled({ provider: model.provider }, { attempts: 1 }, racing);
    await pass(minute);
    expect([verdicts(), await store.parked(), await store.inbox(here)]).toEqual([["done"], [], []]);
    expect(kinds(await store.load(here)).at(-1)).toBe("cancelled");
  });

  it("after a release is tried as often as before", async () => {
    const model = failing(() => new ProviderError("not_found", "No."));
    const { store, verdicts, pass } = await troubled({ provider: model.provider }, { attempts: 2 });
    await pass(minute);
    await store.unpark(here);
    await pass(minute);
    expect(verdicts()).toEqual(["later provider", "parked", "later provider", "parked"]);
  });

  it.each([0, 1e-3, 1, 1e9])(
    "that asks to be tried again after %d s is tried a handful of times in the first five seconds, at most",
    async (retryAfter) => {
      const model = failing(() => new ProviderError("rate_limit", "Slow down.", { status: 429, retryAfter }));
      const { store, pass } = await troubled({ provider: model.provider }, { lookEvery: 20 });
      await pass(5000);
      expect(model.times.length).toBeLessThanOrEqual(4);
      const waits = waitsIn(await store.load(here));
      expect(waits.length).toBeGreaterThan(0);
      for (const [tries, wait] of waits.entries()) expect(wait).toBeGreaterThan(0.74 * 2 ** tries);
    },
  );

  it.each([
    ["a day, in one way", ["connection"], 24, 15],
    ["hours, in several ways", ["connection", "server", "overloaded"], 6, 15],
    ["hours, in a way that may have cost something", ["timeout"], 2, 15 + 40],
  ] as [string, ProviderErrorCode[], number, number][])(
    "that lasts for %s, leaves a small log",
    async (_, codes, hours, most) => {
      let next = 0;
      const model = failing(() => new ProviderError(codes[next++ % codes.length] as ProviderErrorCode, "No."));
      const { store, pass } = await troubled({ provider: model.provider }, { lookEvery: 30_000 });
      const before = (await store.load(here)).length;
      await pass(hours * 60 * minute);
      expect((await store.load(here)).length - before).toBeLessThanOrEqual(most);
      expect(Math.max(...gapsOf(model.times))).toBeLessThanOrEqual(5.6 * minute);
      expect(await noticesOf(store)).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining("about every 5 minutes") }),
      );
      model.isMended = true;
      await pass(6 * minute);
      expect((await store.load(here)).some(({ type }) => type === "respond")).toBe(true);
    },
  );

  it("that comes after a part of the answer is not taken for progress", async () => {
    const times: number[] = [];
    const provider: Provider = {
      ...deciding(() => ""),
      async *stream(): AsyncGenerator<ModelEvent, void, undefined> {
        times.push(Date.now());
        yield { type: "text", text: "Let me see. " };
        throw new ProviderError("cut_stream", "The stream broke off.");
      },
    };
    const { pass } = await troubled({ provider });
    await pass(minute);
    const gaps = gapsOf(times);
    expect(gaps.length).toBeGreaterThanOrEqual(4);
    for (const [i, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(750 * 2 ** i);
  });

  it("of the conversation's own is told and waits for the next message; a prompt that waits is tried, and then parked", async () => {
    const failingHook = { name: "guard", beforeStep: () => Promise.reject(new Error(secret)) };
    const options = { provider: deciding(() => "Hello."), hooks: [failingHook] };
    const { store, verdicts, agent, pass } = await troubled(options, { attempts: 3 });
    expect(verdicts()).toEqual(["done"]);
    const message = "The run failed inside this service. The next message tries again.";
    expect(await noticesOf(store)).toEqual([{ code: "hook", message }]);
    await agent.send(here, prompt);
    await agent.send(here, prompt);
    await pass(minute);
    expect(verdicts()).toEqual(["done", "later failed", "parked"]);
    expect(await store.inbox(here)).not.toEqual([]);
    expect(JSON.stringify(await store.load(here))).not.toContain(secret);
  });

  it("is not told where another run has gone on meanwhile", async () => {
    const memory = memoryStore();
    const { provider } = failing(() => new ProviderError("server", "500"));
    const store: Store = {
      ...memory,
      async load(key, options) {
        const events = await memory.load(key, options);
        // Between the end of the run and its notice.
        if (options?.last !== undefined)
          await memory.append(key, [{ type: "record", kind: "title", data: { text: "Named" }, timestamp: 0 }]);
        return events;
      },
    };
    const { verdicts } = await troubled({ provider }, {}, store);
    expect(verdicts()).toEqual(["later provider"]);
    expect(await noticesOf(memory)).toEqual([]);
  });
});

describe("what the operator of a worker hears", () => {
  /** Begins a worker that nobody listens to, and returns the lines that it prints. */
  async function printing(provider: Provider, options: Partial<WorkerOptions> = {}, store: Store = memoryStore()) {
    const lines: string[] = [];
    const printed = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    onTestFinished(() => printed.mockRestore());
    return { lines, ...(await troubled({ provider }, { on: undefined, owner: "w", ...options }, store)) };
  }

  it("is one line for each new trouble on stderr, not one for each try or conversation", async () => {
    const model = failing(() => new ProviderError("connection", "Nobody\nanswers\u001b[31m."));
    const { lines, agent, pass } = await printing(model.provider);
    const line = 'cogency worker w: "c" fails (connection): Nobody answers [31m. It is tried again by itself.';
    expect(lines).toEqual([expect.stringContaining(line)]);
    await agent.send({ conversation: "d", user: "ada@canary.example" }, prompt);
    await pass(60 * minute);
    expect(lines).toHaveLength(1);
    model.isMended = true;
    await pass(10 * minute);
    model.isMended = false;
    await agent.send(here, prompt);
    await pass(minute);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain("canary");
  });

  it("names each conversation that is parked", async () => {
    const model = failing(() => new ProviderError("not_found", "No such model."));
    const { lines, pass } = await printing(model.provider, { attempts: 2 });
    await pass(minute);
    expect(lines).toEqual([
      expect.stringContaining('"c" fails (not_found): No such model.'),
      expect.stringMatching(/parked "c": Its run has failed 2 times in a row \(not_found\): No such model\./),
    ]);
  });

  it("is one line for a store that fails again and again", async () => {
    const store: Store = {
      ...memoryStore(),
      claim: () => Promise.reject(new StoreError("unavailable", "It is down.")),
    };
    const { lines } = await printing(
      deciding(() => ""),
      {},
      { ...store, nextWake: async () => undefined },
    );
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(lines).toEqual(["cogency worker: the store does not say what is due: It is down."]);
  });

  it("is nothing on stderr where somebody listens", async () => {
    const { provider } = failing(() => new ProviderError("connection", "No."));
    const events: string[] = [];
    const { lines } = await printing(provider, { on: ({ type }) => events.push(type) });
    expect([lines, events]).toEqual([[], ["claimed", "attended"]]);
  });

  it("is in its health: what fails, how many conversations, and which it has parked", async () => {
    const model = failing(() => new ProviderError("not_found", "No."));
    const { worker, store, pass } = await troubled({ provider: model.provider }, { attempts: 2 });
    const read = async () => {
      const response = await healthHandler(worker)(new Request("http://worker.test/health"));
      return [response.status, await response.json()];
    };
    expect(worker.health().failing).toEqual([{ code: "not_found", message: "No.", conversations: 1 }]);
    expect(await read()).toMatchObject([200, { failing: { not_found: 1 } }]);
    await pass(minute);
    expect(worker.health()).toMatchObject({
      failing: [],
      parked: [{ key: here, reason: expect.stringContaining("No.") }],
    });
    expect(await read()).toEqual([200, { state: "idle", running: 0, concurrency: 16, parked: 1 }]);
    model.isMended = true;
    await store.unpark(here);
    await pass(minute);
    expect(worker.health()).toMatchObject({ failing: [], parked: [] });
  });
});

describe("a conversation over which workers are lost", () => {
  it("tells the person when it is parked, also if nobody knows why", async () => {
    const store = memoryStore();
    await store.append(here, [{ type: "user", content: "go", timestamp: 0 }]);
    await store.wake(here, { id: "look", at: 0 });
    for (let death = 0; death < 2; death++) {
      await store.claim({ owner: "dies", limit: 1, ttl: 5 });
      await vi.advanceTimersByTimeAsync(10);
    }
    await troubled({ provider: deciding(() => "") }, { attempts: 2 }, store);
    expect(await noticesOf(store)).toEqual([
      { code: "not_ended", message: expect.stringMatching(/did not come to an end/), parked: true },
    ]);
  });
});
