import { memoryStore, StoreError } from "@cogency/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { agentOn, beginWorker, prompt } from "../test/support/begin-worker.ts";
import { deciding } from "../test/support/model.ts";
import { healthHandler } from "./health-handler.ts";
import { createWorker } from "./index.ts";

const request = new Request("http://worker.test/health");
const never = deciding(() => "");

/** The status and the JSON of the response. */
async function read(handler: ReturnType<typeof healthHandler>): Promise<[status: number, body: unknown]> {
  const response = await handler(request);
  return [response.status, await response.json()];
}

describe("the health of a worker", () => {
  it("is bad until the store has answered, good while it works, and bad again when it drains and has ended", async () => {
    const store = memoryStore();
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const provider = deciding(() => {
      begun.resolve();
      return answer.promise;
    });
    const idle = createWorker({ agent: agentOn(store, { provider: never }), store });
    expect(await read(healthHandler(idle))).toEqual([
      503,
      { state: "idle", running: 0, concurrency: 16, reason: "starting" },
    ]);
    const { worker, agent } = await beginWorker(store, { provider }, { concurrency: 2 });
    const handler = healthHandler(worker);
    await vi.waitFor(
      async () => expect(await read(handler)).toEqual([200, { state: "idle", running: 0, concurrency: 2 }]),
      { timeout: 60_000 },
    );
    await agent.send({ conversation: "canary", user: "canary" }, prompt);
    await begun.promise;
    // Nothing of the conversation, of the user or of the worker.
    expect(await read(handler)).toEqual([200, { state: "working", running: 1, concurrency: 2 }]);
    const drained = worker.drain();
    expect(await read(handler)).toEqual([503, { state: "draining", running: 1, concurrency: 2, reason: "draining" }]);
    answer.resolve("Hello.");
    await drained;
    expect(await read(handler)).toEqual([503, { state: "ended", running: 0, concurrency: 2, reason: "ended" }]);
  });

  it("is bad when the store has hung or failed for a minute, and good when it answers again", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const inner = memoryStore();
    let claim = inner.claim;
    const store = { ...inner, claim: (options: Parameters<typeof claim>[0]) => claim(options) };
    const { worker } = await beginWorker(store, { provider: never }, { lookEvery: 1000 });
    const handler = healthHandler(worker);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await read(handler)).toMatchObject([200, { state: "idle" }]);
    claim = () => Promise.reject(new StoreError("unavailable", "cannot reach postgres://me:canary@db"));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await read(handler)).toMatchObject([200, { state: "idle" }]);
    const hang = Promise.withResolvers<never[]>();
    claim = () => hang.promise;
    await vi.advanceTimersByTimeAsync(3000);
    expect(await read(handler)).toEqual([503, { state: "idle", running: 0, concurrency: 16, reason: "store_silent" }]);
    claim = inner.claim;
    hang.resolve([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await read(handler)).toMatchObject([200, { state: "idle" }]);
  });

  it("is not bad because all places are taken for long", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const answer = Promise.withResolvers<string>();
    const { worker, agent } = await beginWorker(
      store,
      { provider: deciding(() => answer.promise) },
      { concurrency: 1 },
    );
    await agent.send({ conversation: "c" }, prompt);
    await vi.waitFor(() => expect(worker.health().running).toHaveLength(1), { timeout: 60_000 });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(worker.health().lookedSecondsAgo).toBeGreaterThan(200);
    expect(await read(healthHandler(worker))).toMatchObject([200, { state: "working", running: 1 }]);
    answer.resolve("Hello.");
    await vi.advanceTimersByTimeAsync(1000);
  });

  it("is asked by GET and HEAD alone", async () => {
    const store = memoryStore();
    const handler = healthHandler(createWorker({ agent: agentOn(store, { provider: never }), store }));
    expect((await handler(new Request(request, { method: "POST" }))).status).toBe(405);
    expect((await handler(new Request(request, { method: "HEAD" }))).status).toBe(503);
  });
});
