import { type ModelEvent, type Provider, ProviderError, type StreamOptions } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it, vi } from "vitest";
import { limitedProvider } from "./limited-provider.ts";

const request = { system: "", messages: [] };
const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Counts the requests that are open. Each answers when it is released, and ends as `aborted` when it is told to. */
function counted() {
  const state = { open: 0, most: 0, total: 0 };
  const provider: Provider = {
    name: "counted",
    model: "m",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream(_, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
      state.total++;
      state.most = Math.max(state.most, ++state.open);
      try {
        yield { type: "text", text: "a" };
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, state.total > 90 ? 60_000 : 3);
          signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve();
          });
        });
        yield { type: "finish", reason: signal?.aborted ? "aborted" : "stop" };
      } finally {
        state.open--;
      }
    },
  };
  return { state, provider };
}

async function all(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a limited provider", () => {
  it("does not use a place that ended before this process heard of it, as after it stood still", async () => {
    const { state, provider } = counted();
    const store = memoryStore();
    let asked = 0;
    const slow: Pick<typeof store, "slot"> = {
      async slot(name, options) {
        const slot = await store.slot(name, options);
        if (asked++ === 0) await soon(80);
        return slot;
      },
    };
    await all(limitedProvider(provider, { store: slow, name: "key", limit: 1, ttl: 50 }).stream(request));
    expect([asked, state.total]).toEqual([2, 1]);
  });

  it("has at most so many requests open, however many processes ask, and answers all", async () => {
    const store = memoryStore();
    const { state, provider } = counted();
    const processes = [1, 2, 3].map(() => limitedProvider(provider, { store, name: "key", limit: 5 }));
    const asked = processes.flatMap((one) => [
      ...Array.from({ length: 8 }, () => all(one.stream(request))),
      ...Array.from({ length: 4 }, () => one.generate?.(request)),
    ]);
    for (const events of await Promise.all(asked)) expect(events?.at(-1)).toMatchObject({ reason: "stop" });
    expect(state).toEqual({ open: 0, most: 5, total: 36 });
  });

  it("gives its place back when it is left, aborted or fails, and while it waits is aborted without a request", async () => {
    const store = memoryStore();
    const { state, provider } = counted();
    const failing: Provider = {
      ...provider,
      // biome-ignore lint/correctness/useYield: it fails before.
      async *stream() {
        throw new ProviderError("overloaded", "Busy.");
      },
    };
    const options = { store, name: "key", limit: 1 };
    const limited = limitedProvider(provider, options);
    for await (const _ of limited.stream(request)) break;
    await expect(all(limitedProvider(failing, options).stream(request))).rejects.toMatchObject({ code: "overloaded" });
    const holder = await store.slot("key", { limit: 1, owner: "other", ttl: 60_000 });
    expect(holder).not.toBeNull();
    const before = state.total;
    const signal = AbortSignal.timeout(30);
    expect(await all(limited.stream(request, { signal }))).toEqual([{ type: "finish", reason: "aborted" }]);
    expect(state.total).toBe(before);
    await holder?.release();
    expect((await all(limited.stream(request))).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("breaks a request off whose place has ended, with an error that may be tried again", async () => {
    const time = { now: 1_000_000 };
    const store = memoryStore({ clock: () => time.now });
    const { state, provider } = counted();
    state.total = 90;
    const limited = limitedProvider(provider, { store, name: "key", limit: 1, ttl: 60 });
    const asked = all(limited.stream(request));
    asked.catch(() => {});
    await vi.waitFor(() => expect(state.open).toBe(1), { timeout: 60_000 });
    time.now += 1000;
    await expect(asked).rejects.toMatchObject({ code: "timeout", retryable: true });
    expect(state.open).toBe(0);
    await soon(1);
  });

  it("breaks a request off that begins after its process stood still, before the store says that the place is gone", async () => {
    const store = memoryStore();
    const silent: typeof store.slot = async (name, options) => {
      const slot = await store.slot(name, options);
      return slot && { ...slot, renew: () => new Promise(() => {}) };
    };
    const { provider } = counted();
    const sent: boolean[] = [];
    const late: Provider = {
      ...provider,
      async *stream(_, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
        await soon(1);
        sent.push(signal?.aborted === false);
        yield { type: "finish", reason: "aborted" };
      },
    };
    const limited = limitedProvider(late, { store: { slot: silent }, name: "key", limit: 1, ttl: 150 });
    await expect(all(limited.stream(request))).rejects.toMatchObject({ code: "timeout" });
    expect(sent).toEqual([false]);
  });

  it("gives a place up that it could not renew in time", async () => {
    const store = memoryStore();
    const down: typeof store.slot = async (name, options) => {
      const slot = await store.slot(name, options);
      return slot && { ...slot, renew: () => Promise.reject(new Error("The store is down.")) };
    };
    const { provider, state } = counted();
    state.total = 90; // Its requests take a minute.
    const limited = limitedProvider(provider, { store: { slot: down }, name: "key", limit: 1, ttl: 60 });
    await expect(all(limited.stream(request))).rejects.toMatchObject({ code: "timeout" });
    expect(state.open).toBe(0);
  });

  it.each([
    [{ limit: Number.NaN }, "`limit` is NaN; give a whole number"],
    [{ limit: 0 }, "`limit` is 0"],
    [{ limit: "5" as unknown as number }, "`limit` is a string"],
    [{ ttl: -1 }, "`ttl` is -1"],
    [{ name: "" }, "`name` is an empty string"],
    [{ name: undefined as unknown as string }, "limitedProvider needs `name`"],
    [{ max: 5 }, "limitedProvider has no option `max`"],
  ])("refuses %j before a run needs it", (wrong, message) => {
    const { provider } = counted();
    const options = { store: memoryStore(), name: "key 1", limit: 5, ...wrong };
    expect(() => limitedProvider(provider, options)).toThrow(message);
  });
});
