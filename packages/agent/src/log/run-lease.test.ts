import { type LogEvent, parseResults } from "@cogency/protocol";
import { type Provider, ProviderError, scripted } from "@cogency/provider";
import { type Lease, LeaseLostError, memoryStore, type Store, type StoredEvent, StoreError } from "@cogency/storage";
import { defineTool, type ToolHook } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, clocked, collect, echo, endless, types } from "../../test/support/fixtures.ts";
import type { AgentLeaseOptions, AgentOptions } from "../agent-options.ts";
import { createAgent } from "../create-agent.ts";
import { protocolDriver } from "../drivers/protocol-driver.ts";

const conversation = "c";
const key = { conversation };
const hello: LogEvent = { type: "user", content: "go", timestamp: 1 };

/** Does something in the middle of a run, in its only tool. */
function doing(work: () => unknown) {
  const tool = defineTool({
    name: "work",
    description: "Work.",
    input: z.object({}),
    execute: async () => {
      await work();
      return "worked";
    },
  });
  return { tools: [tool], provider: scripted([block(["work", {}]), "Done.<end>"]) };
}

const answering = (store: Store, text: string, options: Partial<AgentOptions> = {}) =>
  createAgent({ provider: scripted([text]), store, ...options });

/** Whether nobody holds a lease of the conversation: who has none may write. */
const isFree = (store: Store) =>
  store.append(key, []).then(
    () => true,
    (error: StoreError) => (error.code === "lease_held" ? false : Promise.reject(error)),
  );

describe("two agents over one store", () => {
  it("the second fails at once with the owner's name, and does not disturb the first", async () => {
    const store = memoryStore();
    const agent = answering(store, "unasked", { lease: { owner: "second" } });
    let refused: unknown;
    const first = createAgent({
      ...doing(async () => {
        refused = await agent.run("two", { conversation }).result;
      }),
      store,
      lease: { owner: "first" },
    });
    expect(await first.run("one", { conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    expect(refused).toMatchObject({
      status: "failed",
      steps: 0,
      error: {
        code: "busy",
        message: expect.stringMatching(/"first#[0-9a-f-]{36}".*Wait for it to end, then try again/),
        cause: { name: "LeaseHeldError", owner: expect.stringMatching(/^first#/) },
      },
    });
    expect(types(await store.load(key, { types: ["user"] }))).toHaveLength(1);
    expect(await agent.run("two", { conversation }).result).toMatchObject({ text: "unasked" });
  });

  it("runs of one agent have different names", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["one", "three"]), store, lease: { owner: "same" } });
    const first = agent.run("1", { conversation });
    const events = first[Symbol.asyncIterator]();
    await events.next();
    expect(await agent.run("2", { conversation }).result).toMatchObject({ error: { code: "busy" }, steps: 0 });
    while (!(await events.next()).done);
    expect(await first.result).toMatchObject({ text: "one" });
    expect(await agent.run("3", { conversation }).result).toMatchObject({ text: "three" });
  });

  it("two users' conversations with the same name do not block each other", async () => {
    const store = memoryStore();
    await store.lease({ conversation, user: "eve" }, { owner: "other", ttl: 60_000 });
    expect(await answering(store, "ok").run("go", { conversation, user: "ada" }).result).toMatchObject({ text: "ok" });
  });

  it("a writer without the lease cannot write during a run", async () => {
    const store = memoryStore();
    const intruding = createAgent({ ...doing(() => store.append(key, [hello])), store });
    const events = await collect(intruding.run("go", { conversation }));
    const result = events.find((event) => event.type === "result");
    expect(parseResults(result?.content ?? "")).toMatchObject([
      { status: "failure", content: expect.stringContaining("is being written by") },
    ]);
    expect((await store.load(key)).filter(({ type }) => type === "user")).toHaveLength(1);
  });

  it.each<[string, AgentLeaseOptions]>([
    ["zero", { ttl: 0 }],
    ["no number", { ttl: Number.NaN }],
    ["endless", { ttl: Number.POSITIVE_INFINITY }],
  ])("refuses a ttl that is %s", (_, lease) => {
    expect(() => createAgent({ provider: scripted([]), lease })).toThrow(RangeError);
  });
});

describe("a run whose process died", () => {
  const died = async () => {
    const { store, time } = clocked();
    await store.append(key, [hello]);
    await store.lease(key, { owner: "dead#1", ttl: 30_000 });
    return { store, time };
  };

  it("blocks the conversation until its lease expires, and no longer", async () => {
    const { store, time } = await died();
    const agent = answering(store, "Back.");
    time.now += 29_999;
    expect(await agent.recover(key).result).toMatchObject({ error: { code: "busy", cause: { owner: "dead#1" } } });
    time.now += 1;
    expect(await agent.recover(key).result).toMatchObject({ status: "completed", text: "Back." });
  });

  it("does not block the conversation if `isGone` returns true", async () => {
    const { store } = await died();
    const asked: string[] = [];
    const isGone = async (owner: string) => asked.push(owner) > 0;
    let holder: unknown;
    const agent = createAgent({
      ...doing(() => store.lease(key, { owner: "third", ttl: 1 }).catch((error) => (holder = error.owner))),
      store,
      lease: { owner: "heir", isGone },
    });
    expect(await agent.recover(key).result).toMatchObject({ status: "completed" });
    expect(asked).toEqual(["dead#1"]);
    expect(holder).toMatch(/^heir#/);
  });

  it("does not count as dead if `isGone` returns false", async () => {
    const { store } = await died();
    const agent = answering(store, "no", { lease: { isGone: () => false } });
    expect(await agent.recover(key).result).toMatchObject({ error: { code: "busy" } });
  });

  it("does not count as dead if `isGone` throws, and the error says so", async () => {
    const { store } = await died();
    const isGone = () => Promise.reject(new Error("no such table"));
    const agent = answering(store, "no", { lease: { isGone } });
    expect(await agent.recover(key).result).toMatchObject({
      error: {
        code: "busy",
        message: expect.stringMatching(/dead#1.*no such table/),
        cause: { message: "no such table" },
      },
    });
  });

  it("does not wait for `isGone` once it is cancelled", async () => {
    const { store } = await died();
    const cancelling = new AbortController();
    const isGone = () => {
      cancelling.abort();
      return new Promise<boolean>(() => {});
    };
    const run = answering(store, "no", { lease: { isGone } }).run("go", { conversation, signal: cancelling.signal });
    expect(await run.result).toMatchObject({ status: "failed", error: { code: "busy" } });
  });

  it("is taken over by one run, however many find it dead at once", async () => {
    const { store } = await died();
    const heirs = Array.from({ length: 8 }, () =>
      answering(store, "mine", { lease: { isGone: (owner) => owner === "dead#1" } }),
    );
    const results = await Promise.all(heirs.map((heir) => heir.run("go", { conversation }).result));
    const completed = results.filter(({ status }) => status === "completed");
    expect(completed.length).toBeGreaterThan(0);
    for (const { error, status } of results) if (status === "failed") expect(error?.code).toBe("busy");
    const said = await store.load(key, { types: ["user", "respond"] });
    expect(types(said)).toEqual(["user", ...completed.flatMap(() => ["user", "respond"])]);
  });
});

describe("a run that lasts", () => {
  it("longer than its ttl keeps the lease, and stops renewing it at its end", async () => {
    const { store: inner, time } = clocked();
    let renewals = 0;
    let wake = () => {};
    const store: Store = {
      ...inner,
      async renew(...asked) {
        const renewal = await inner.renew(...asked);
        renewals++;
        time.now += 25;
        wake();
        return renewal;
      },
    };
    const renewed = () => new Promise<void>((resolve) => (wake = resolve));
    const lease = { ttl: 30 };
    const agent = createAgent({
      ...doing(async () => {
        for (let times = 0; times < 4; times++) await renewed();
        expect(await isFree(inner)).toBe(false);
      }),
      store,
      lease,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(time.now).toBeGreaterThan(1_000 + 3 * lease.ttl);
    const atTheEnd = renewals;
    await new Promise((resolve) => setTimeout(resolve, 2 * lease.ttl));
    expect(renewals).toBe(atTheEnd);
  });

  it("stops renewing when it ends while the store is still at the last renewal", async () => {
    const inner = memoryStore();
    let renewals = 0;
    let begun = () => {};
    let answer = () => {};
    const store: Store = {
      ...inner,
      async renew(leases) {
        renewals++;
        begun();
        await new Promise<void>((resolve) => (answer = resolve));
        return { renewed: leases.map(({ token }) => token), lost: [] };
      },
    };
    const agent = createAgent({
      ...doing(() => new Promise<void>((resolve) => (begun = resolve))),
      store,
      lease: { ttl: 30 },
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed" });
    const atTheEnd = renewals;
    answer();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(renewals).toBe(atTheEnd);
  });

  it("keeps renewing after the store was unavailable for a while", async () => {
    const inner = memoryStore();
    let attempts = 0;
    let wake = () => {};
    const store: Store = {
      ...inner,
      renew() {
        if (++attempts === 2) wake();
        throw new StoreError("unavailable", "The store is away.");
      },
    };
    const tried = () => new Promise<void>((resolve) => (wake = resolve));
    // Both attempts come well before the lease is over, also on a busy machine.
    const agent = createAgent({ ...doing(tried), store, lease: { ttl: 600 } });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed" });
  });
});

describe("a run that loses its lease in the middle", () => {
  it("takes the lease again and continues if no other run wrote in between, and runs no call twice", async () => {
    const { store, time } = clocked();
    let worked = 0;
    const agent = createAgent({
      ...doing(() => {
        worked++;
        time.now += 60_000;
      }),
      store,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    expect(worked).toBe(1);
    expect(await isFree(store)).toBe(true);
    const records = (await store.load(key)).flatMap((event) => (event.type === "record" ? [event.kind] : []));
    expect(records).toEqual(["origin", "started", "finished", "usage", "usage", "run"]);
  });

  it("fails with `store` if another run wrote and has ended, stores nothing more, and blocks no later run", async () => {
    const { store, time } = clocked();
    let ended: StoredEvent[] = [];
    const agent = createAgent({
      ...doing(async () => {
        time.now += 60_000;
        await answering(store, "Other answer.").run("other", { conversation }).result;
        ended = await store.load(key);
      }),
      store,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({
      status: "failed",
      error: { code: "store", cause: { name: "ConflictError" } },
    });
    expect(ended.at(-3)).toMatchObject({ type: "respond", content: "Other answer." });
    expect(await store.load(key)).toEqual(ended);
    expect(await isFree(store)).toBe(true);
  });

  it("fails with `store` when the conversation was deleted, and leaves nothing of it behind", async () => {
    const store = memoryStore();
    const agent = createAgent({ ...doing(() => store.delete(key)), store });
    expect(await agent.run("go", { conversation }).result).toMatchObject({
      status: "failed",
      error: { code: "store", cause: { name: "ConflictError" } },
    });
    expect(await store.conversations()).toEqual([]);
    expect(await isFree(store)).toBe(true);
  });

  it("fails with `store` when the conversation was deleted and a new one with its name has as many events", async () => {
    const store = memoryStore();
    let others: StoredEvent[] = [];
    const agent = createAgent({
      ...doing(async () => {
        const { length } = await store.load(key);
        await store.delete(key);
        await store.append(key, Array<LogEvent>(length).fill(hello));
        others = await store.load(key);
      }),
      store,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({
      status: "failed",
      error: { code: "store", cause: { name: "LeaseLostError" } },
    });
    expect(others.length).toBeGreaterThan(1);
    expect(await store.load(key)).toEqual(others);
    expect(await isFree(store)).toBe(true);
  });

  it("fails with `busy` while another run works, and stores nothing more, also after that run has ended", async () => {
    const { store, time } = clocked();
    const other = answering(store, "Other answer.").run("other", { conversation })[Symbol.asyncIterator]();
    const agent = createAgent({
      ...doing(async () => {
        time.now += 60_000;
        await other.next();
      }),
      store,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({
      status: "failed",
      error: { code: "busy", cause: { name: "LeaseHeldError" } },
    });
    while (!(await other.next()).done);
    const said = await store.load(key, { types: ["user", "call", "result", "respond"] });
    // The call of the run that failed is answered by the other one.
    expect(types(said)).toEqual(["user", "call", "result", "user", "respond"]);
  });

  it("fails with `store` when it loses the new lease as well", async () => {
    const { store: inner, time } = clocked();
    let isAsleep = false;
    const store: Store = {
      ...inner,
      append(...batch) {
        if (isAsleep) time.now += 60_000;
        return inner.append(...batch);
      },
    };
    const agent = createAgent({
      ...doing(() => {
        isAsleep = true;
      }),
      store,
    });
    expect(await agent.run("go", { conversation }).result).toMatchObject({
      status: "failed",
      error: { code: "store", cause: { name: "LeaseLostError" } },
    });
  });
});

describe("a run that is overtaken while the model writes", () => {
  it("ends before its next effect, although the model writes on", async () => {
    const inner = memoryStore();
    let heir: Lease | undefined;
    const store: Store = {
      ...inner,
      renew: () => new Promise(() => {}),
      async lease(of, options) {
        // When the run asks again, its lease is over, and the heir was quicker.
        if (isTaken) heir ??= await inner.lease(key, { owner: "heir", ttl: 60_000 });
        isTaken = true;
        return inner.lease(of, options);
      },
    };
    let isTaken = false;
    let isWriting = true;
    const writer: Provider = {
      ...scripted([]),
      async *stream(_, { signal } = {}) {
        while (isWriting && !signal?.aborted) {
          yield { type: "text", text: "more " };
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        yield { type: "finish", reason: "aborted" };
      },
    };
    const run = createAgent({ provider: writer, store, lease: { ttl: 60 } }).run("go", {
      conversation,
      stream: "token",
    });
    const { error, status } = await run.result;
    isWriting = false;
    expect([status, error?.code]).toEqual(["failed", "busy"]);
    await heir?.release();
  });
});

describe("a run under the lease of its caller", () => {
  const held = async () => {
    const store = memoryStore();
    const lease = await store.lease(key, { owner: "worker", ttl: 60_000 });
    return { store, lease, agent: answering(store, "one") };
  };

  it("leaves it to the caller, for the next run", async () => {
    const { store, lease, agent } = await held();
    expect(await agent.run("1", { conversation, lease }).result).toMatchObject({ status: "completed", text: "one" });
    expect(await answering(store, "two").run("2", { conversation, lease }).result).toMatchObject({ text: "two" });
    expect(await isFree(store)).toBe(false);
    expect(await agent.run("3", { conversation }).result).toMatchObject({ error: { code: "busy" } });
    await lease.release();
    expect(await isFree(store)).toBe(true);
  });

  it("fails once the lease is lost, and takes no other one", async () => {
    const { store, lease, agent } = await held();
    await (await store.lease(key, { owner: "worker", ttl: 60_000 })).release();
    const { error, status } = await agent.run("1", { conversation, lease }).result;
    expect([status, error?.code, error?.cause]).toEqual(["failed", "store", expect.any(LeaseLostError)]);
    expect(await store.load(key)).toEqual([]);
  });
});

/** Asks until the lease is free. */
describe("the lease is released", () => {
  const failing: Provider = scripted([{ chunks: "Half an", error: new ProviderError("server", "down") }]);
  const stopAll: ToolHook = {
    name: "stop",
    beforeToolUse: () => ({ stop: { reason: "completed", message: "", context: {} } }),
  };

  it.each<[string, Partial<AgentOptions>]>([
    ["was answered", {}],
    ["failed", { provider: failing }],
    ["failed in the driver", { driver: { ...protocolDriver(), begin: () => raise(new TypeError("bad driver")) } }],
    [
      "had a tool that failed",
      { tools: [doing(() => raise(new Error("x"))).tools[0] ?? echo], execution: { throwOnToolFailure: true } },
    ],
    ["was stopped by a hook", { execution: { hooks: [stopAll] } }],
    ["used up its steps", { budget: { steps: 1 } }],
  ])("by a run that %s", async (_, options) => {
    const store = memoryStore();
    const agent = createAgent({ ...doing(() => {}), store, ...options });
    await agent.run("go", { conversation }).result;
    expect(await isFree(store)).toBe(true);
  });

  it("by a run that was cancelled", async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([block(["endless", {}])]);
    const agent = createAgent({ provider, tools: [endless], store });
    agent.on("tool_started", () => controller.abort());
    const { stop } = await agent.run("go", { conversation, signal: controller.signal }).result;
    expect(stop?.reason).toBe("user_requested");
    expect(await isFree(store)).toBe(true);
  });

  it.each(["user", "call", "execute", "result", "respond", "end"])(
    "by a run that the consumer left at `%s`",
    async (type) => {
      const store = memoryStore();
      const run = createAgent({ ...doing(() => {}), store }).run("go", { conversation });
      for await (const event of run) if (event.type === type) break;
      expect(await isFree(store)).toBe(true);
    },
  );

  it("by a run that found nothing to recover", async () => {
    const store = memoryStore();
    await answering(store, "no").recover(key).result;
    expect(await isFree(store)).toBe(true);
  });

  it("and is not taken by a run that the consumer leaves before it begins", async () => {
    const store = memoryStore();
    const run = answering(store, "no").run("go", { conversation });
    await run[Symbol.asyncIterator]().return?.();
    expect(await isFree(store)).toBe(true);
    expect(await store.load(key)).toEqual([]);
  });

  it("only after the consumer has asked for more than the last event", async () => {
    const store = memoryStore();
    for await (const event of answering(store, "ok").run("go", { conversation })) {
      expect([event.type, await isFree(store)]).toEqual([event.type, false]);
    }
  });

  it.each<[string, () => Promise<void>]>([
    ["refuses it", () => Promise.reject(new StoreError("unavailable", "gone"))],
    ["throws", () => raise(new StoreError("unavailable", "gone"))],
    ["hangs", () => new Promise(() => {})],
  ])("or does not block the next run of the process, if the store %s", async (_, release) => {
    const inner = memoryStore();
    let isBroken = true;
    const store: Store = {
      ...inner,
      async lease(...asked) {
        const lease = await inner.lease(...asked);
        return isBroken ? { ...lease, lost: lease.lost, release } : lease;
      },
    };
    expect(await answering(store, "one").run("1", { conversation }).result).toMatchObject({ text: "one" });
    expect(await isFree(store)).toBe(false);
    isBroken = false;
    expect(await answering(store, "two").run("2", { conversation }).result).toMatchObject({ text: "two" });
    expect(await isFree(store)).toBe(true);
  });

  it("also if the store granted it and its answer was lost", async () => {
    const inner = memoryStore();
    let isBroken = true;
    const store: Store = {
      ...inner,
      async lease(...asked) {
        const lease = await inner.lease(...asked);
        return isBroken ? raise(new StoreError("unavailable", "The connection was lost.")) : lease;
      },
    };
    const failed = await answering(store, "one").run("1", { conversation }).result;
    expect(failed).toMatchObject({ error: { code: "store", cause: { code: "unavailable" } } });
    isBroken = false;
    expect(await answering(store, "two").run("2", { conversation }).result).toMatchObject({ text: "two" });
  });

  it("also if an append that returns after the end had asked for it again", async () => {
    const inner = memoryStore();
    let answer = () => {};
    let granted = () => {};
    const isGranted = new Promise<void>((resolve) => {
      granted = resolve;
    });
    const stalled = new Promise<never>((_, reject) => {
      answer = () => reject(new LeaseLostError(1));
    });
    const controller = new AbortController();
    let leases = 0;
    const store: Store = {
      ...inner,
      async lease(...asked) {
        if (++leases === 2) granted();
        return inner.lease(...asked);
      },
      append(key, events, options) {
        if (!events.some((event) => event.type === "record" && event.kind === "started")) {
          return inner.append(key, events, options);
        }
        controller.abort();
        return stalled;
      },
    };
    const run = createAgent({ ...doing(() => {}), store }).run("go", { conversation, signal: controller.signal });
    expect(await run.result).toMatchObject({ status: "stopped", error: { code: "not_stored" } });
    answer();
    await isGranted;
    await new Promise((resolve) => setTimeout(resolve));
    expect(await isFree(inner)).toBe(true);
  });

  it("also by a run that could not store `cancelled`", async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      append: (key, events, options) =>
        events.length > 0 && events[0]?.type !== "user"
          ? Promise.reject(new StoreError("full", "No room left."))
          : inner.append(key, events, options),
    };
    const { error } = await answering(store, "ok").run("go", { conversation }).result;
    expect(error).toMatchObject({ code: "store", cause: { code: "full" } });
    expect(await isFree(inner)).toBe(true);
  });
});

function raise(error: Error): never {
  throw error;
}
