import { parseResults } from "@cogency/protocol";
import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore, StoreError } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { defineTool } from "@cogency/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorker, type Dispatcher } from "../src/index.ts";
import { agentOn, beginWorker, prompt } from "./support/begin-worker.ts";
import { calling, deciding } from "./support/model.ts";
import { answers, byHand, counting, hello, here, never, settled, waitFor } from "./support/watching.ts";

describe("a worker", () => {
  it("answers what was posted before it began, and what is posted while it works, of every user", async () => {
    const store = memoryStore();
    const sender = agentOn(store, { provider: never });
    await sender.send({ ...here, user: "ada" }, prompt);
    await beginWorker(store, { provider: hello });
    await sender.send({ ...here, user: "bob" }, prompt);
    await settled(store);
    for (const user of ["ada", "bob"]) {
      expect(answers(await store.load({ ...here, user }))).toEqual(["Hello."]);
      expect(await store.inbox({ ...here, user })).toEqual([]);
    }
  });

  it.each([
    ["in memory", async () => memoryStore()],
    ["in SQLite", () => sqliteStore({ path: ":memory:" })],
  ])("is woken by a notice from outside, and not by one that wakes nobody, %s", async (_, open) => {
    const store = await open();
    onTestFinished(() => store.close());
    const { agent, verdicts } = await beginWorker(store, { provider: hello });
    const quiet = { kind: "notice", source: "src/a.ts", content: "changed", wakes: false } as const;
    await agent.send(here, quiet);
    await agent.send({ conversation: "another" }, prompt);
    await waitFor(() => expect(verdicts()).toContain("done"));
    expect(await store.load(here)).toEqual([]);
    await agent.send(here, { kind: "notice", source: "ci", holds: "untrusted", content: "Build 12 failed." });
    await waitFor(async () => expect(answers(await store.load(here))).toEqual(["Hello."]));
    await settled(store);
    const told = (await store.load(here)).filter(({ type }) => type === "user");
    expect(told).toMatchObject([
      {
        origin: "notice",
        sources: [
          { source: "src/a.ts", count: 1 },
          { source: "ci", count: 1, holds: "untrusted" },
        ],
      },
    ]);
    expect(await store.inbox(here)).toEqual([]);
  });

  it("runs as many conversations at one time as it may, and of each user as many as that one may", async () => {
    const store = memoryStore();
    const open: string[] = [];
    let most = 0;
    let mostOfUser = 0;
    const slow = defineTool({
      name: "slow",
      description: "Takes a moment.",
      input: { type: "object" },
      async execute(_, { user = "" }) {
        open.push(user);
        most = Math.max(most, open.length);
        mostOfUser = Math.max(mostOfUser, open.filter((one) => one === user).length);
        await new Promise((resolve) => setTimeout(resolve, 100));
        open.splice(open.indexOf(user), 1);
        return "ok";
      },
    });
    const sender = agentOn(store, { provider: never });
    for (let index = 0; index < 12; index++) {
      await sender.send({ conversation: `c${index}`, user: index < 9 ? "ada" : "bob" }, prompt);
    }
    const provider = calling("slow");
    const { verdicts } = await beginWorker(store, { provider, tools: [slow] }, { concurrency: 3, perUser: 2 });
    await waitFor(() => expect(verdicts()).toEqual(Array(12).fill("done")));
    expect({ most, mostOfUser }).toEqual({ most: 3, mostOfUser: 2 });
  });

  it("goes on with a run whose process has died, and runs no call again that had begun", async () => {
    const store = memoryStore();
    const { tool } = counting();
    const dying = new AbortController();
    const dead = agentOn(store, {
      provider: calling("count"),
      tools: [tool],
      // The store does not hear of it any more, as of a process that was killed.
      hooks: [{ name: "death", beforeToolUse: () => new Promise(() => dying.abort()) }],
    });
    const lease = await store.lease(here, { owner: "dead", ttl: 300 });
    void dead.run("go", { ...here, lease }).result;
    await waitFor(() => expect(dying.signal.aborted).toBe(true));
    const { verdicts } = await beginWorker(store, { provider: calling("count"), tools: [tool] });
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
    expect(answers(await store.load(here))).toEqual(["Done."]);
  });

  it("leaves a conversation to the run that holds it, and counts that as no attempt", async () => {
    const store = memoryStore();
    const lease = await store.lease(here, { owner: "another", ttl: 60_000 });
    await agentOn(store, { provider: never }).send(here, prompt);
    const { verdicts, events } = await beginWorker(store, { provider: hello });
    await waitFor(() => expect(verdicts()).toEqual(["later held"]));
    await lease.release();
    await waitFor(() => expect(verdicts()).toEqual(["later held", "done"]));
    expect(events.flatMap((event) => (event.type === "claimed" ? [event.claim.attempts] : []))).toEqual([1, 1]);
  });

  it("takes part in a question to a person: waits without a place, and goes on with the answer", async () => {
    const store = memoryStore();
    const counter = counting();
    const asking = { ...counter.tool, approval: "ask" as const };
    const { verdicts, agent } = await beginWorker(store, { provider: calling("count"), tools: [asking] });
    await agent.send(here, prompt);
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
    const log = await store.load(here);
    const [question] = log.flatMap((event) =>
      event.type === "record" && event.kind === "question" ? [(event.data as { id: string }).id] : [],
    );
    expect(counter.begun).toBe(0);
    await agent.send(here, { kind: "approve", question: question ?? "" });
    await waitFor(() => expect(verdicts()).toEqual(["done", "done"]));
    expect(counter).toMatchObject({ begun: 1, ended: 1 });
    expect(answers(await store.load(here))).toEqual(["Done."]);
  });

  it("leaves a conversation that was cancelled, until the person says something", async () => {
    const store = memoryStore();
    await store.append(here, [
      { type: "user", content: "go", timestamp: 1 },
      { type: "cancelled", timestamp: 2 },
    ]);
    await store.wake(here, { id: "look", at: 0 });
    const { verdicts, agent } = await beginWorker(store, { provider: hello });
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
    expect(answers(await store.load(here))).toEqual([]);
    await agent.send(here, prompt);
    await waitFor(async () => expect(answers(await store.load(here))).toEqual(["Hello."]));
  });

  it("asks a provider again when it says, on whichever worker is there then", async () => {
    const store = memoryStore();
    const limited = scripted([{ error: new ProviderError("rate_limit", "Too many requests.", { retryAfter: 0.3 }) }]);
    const first = await beginWorker(store, { provider: limited });
    await first.agent.send(here, prompt);
    await waitFor(() => expect(first.verdicts()).toEqual(["later provider"]));
    await first.worker.drain();
    const second = await beginWorker(store, { provider: hello });
    await waitFor(() => expect(second.verdicts()).toEqual(["done"]));
    expect(second.events.find((event) => event.type === "claimed")?.claim?.attempts).toBe(1);
    expect((await store.load(here)).filter(({ type }) => type === "user")).toHaveLength(1);
  });

  it("fires timers", async () => {
    const store = memoryStore();
    await agentOn(store, { provider: hello }).ask("go", here);
    const { verdicts, events } = await beginWorker(store, { provider: never });
    await store.wake(here, { id: "reminder", at: Date.now() + 100 });
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
    expect(events[0]).toMatchObject({ type: "claimed", claim: { reasons: ["timer:reminder"] } });
  });
});

describe("a worker that is drained", () => {
  it("ends its step, and another worker goes on at once, without a call twice", async () => {
    const store = memoryStore();
    let isDrained = Promise.resolve();
    const counter = counting(async () => {
      isDrained = first.worker.drain();
      await new Promise((resolve) => setTimeout(resolve, 30));
      return "whole";
    });
    const provider = calling("count");
    const first = await beginWorker(store, { provider, tools: [counter.tool] });
    await first.agent.send(here, prompt);
    await waitFor(() => expect(first.verdicts()).toEqual(["again handed_over"]));
    await isDrained;
    expect(first.worker.health()).toMatchObject({ state: "ended", running: [] });
    expect(provider.requests).toBe(1);
    const second = await beginWorker(store, { provider, tools: [counter.tool] });
    await waitFor(() => expect(second.verdicts()).toEqual(["done"]));
    expect(counter).toMatchObject({ begun: 1, ended: 1 });
    const log = await store.load(here);
    expect(log.flatMap((event) => (event.type === "result" ? parseResults(event.content) : []))).toMatchObject([
      { content: "whole" },
    ]);
    expect(answers(log)).toEqual(["Done."]);
  });

  it("breaks off what does not end in time", async () => {
    const store = memoryStore();
    const counter = counting(() => new Promise(() => {}));
    const { worker, agent, verdicts } = await beginWorker(
      store,
      { provider: calling("count"), tools: [counter.tool] },
      { drain: 50 },
    );
    await agent.send(here, prompt);
    await waitFor(() => expect(counter.begun).toBe(1));
    await worker.drain();
    expect(verdicts()).toEqual(["again handed_over"]);
  });

  it("claims nothing more, and gives back what it had claimed but not begun", async () => {
    const store = memoryStore();
    const { worker, agent, events } = await beginWorker(store, { provider: hello });
    await worker.drain();
    await agent.send(here, prompt);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(events).toEqual([]);
    expect(await store.nextWake()).toBeLessThanOrEqual(Date.now());
  });
});

describe("a worker that is drained while the store answers a claim", () => {
  it("puts back what it gets", async () => {
    const memory = memoryStore();
    const asked = Promise.withResolvers<void>();
    const store = {
      ...memory,
      async claim(options: Parameters<typeof memory.claim>[0]) {
        const claims = await memory.claim(options);
        if (claims.length === 0) return claims;
        asked.resolve();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return claims;
      },
    };
    // The worker finds it when it looks by itself.
    const { dispatcher } = byHand();
    const { worker, agent, verdicts } = await beginWorker(store, { provider: never }, { dispatcher });
    await agent.send(here, prompt);
    await asked.promise;
    await worker.drain();
    expect(await store.queue()).toMatchObject({ due: 1, claims: [] });
    expect(verdicts()).toEqual([]);
  });
});

describe("wakes", () => {
  it("that are lost delay a conversation until the worker looks by itself", async () => {
    const store = memoryStore();
    const { verdicts, agent } = await beginWorker(store, { provider: hello }, { dispatcher: byHand().dispatcher });
    await agent.send(here, prompt);
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
  });

  it("of an engine that does not answer are not waited for", async () => {
    const store = memoryStore();
    const engine = Promise.withResolvers<() => Promise<void>>();
    const dispatcher: Dispatcher = { async wake() {}, work: () => engine.promise };
    const agent = agentOn(store, { provider: hello });
    await agent.send(here, prompt);
    const worker = createWorker({ agent, store, dispatcher, lookEvery: 20 });
    const starting = worker.start();
    await settled(store);
    expect(answers(await store.load(here))).toEqual(["Hello."]);
    engine.resolve(async () => {});
    await starting;
    await worker.drain();
    await expect(worker.start()).rejects.toThrow("begun or drained before");
  });

  it("of an engine that cannot begin end the worker with its reason", async () => {
    const store = memoryStore();
    const dispatcher: Dispatcher = { async wake() {}, work: () => Promise.reject(new Error("no engine")) };
    const worker = createWorker({ agent: agentOn(store, { provider: never }), store, dispatcher });
    await expect(worker.start()).rejects.toThrow("no engine");
    expect(worker.health()).toMatchObject({ state: "ended", trouble: "dispatch: no engine" });
  });

  it("that come too often ask the model once", async () => {
    const store = memoryStore();
    const { dispatcher, wake } = byHand();
    const provider = deciding(() => "Hello.");
    const workers = [
      await beginWorker(store, { provider }, { dispatcher, lookEvery: 60_000 }),
      await beginWorker(store, { provider }, { lookEvery: 1 }),
    ];
    await workers[0]?.agent.send(here, prompt);
    await Promise.all(Array.from({ length: 20 }, wake));
    await settled(store);
    await Promise.all(Array.from({ length: 20 }, wake));
    expect(provider.requests).toBe(1);
    expect(answers(await store.load(here))).toEqual(["Hello."]);
  });

  it("belong to other workers while this one has no place", async () => {
    const store = memoryStore();
    let release = () => {};
    const counter = counting(() => new Promise<string>((resolve) => (release = () => resolve("ok"))));
    const { dispatcher, wake } = byHand();
    const { agent } = await beginWorker(
      store,
      { provider: calling("count"), tools: [counter.tool] },
      { dispatcher, concurrency: 1, lookEvery: 60_000 },
    );
    await agent.send(here, prompt);
    void wake();
    await waitFor(() => expect(counter.begun).toBe(1));
    let isAcknowledged = false;
    const acknowledged = wake()?.then(() => {
      isAcknowledged = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(isAcknowledged).toBe(false);
    release();
    await acknowledged;
  });
});

describe("a conversation that kills workers", () => {
  it("is parked with the reason, and goes on when a person releases it", async () => {
    const store = memoryStore();
    await agentOn(store, { provider: never }).send(here, prompt);
    for (let death = 0; death < 2; death++) {
      expect(await store.claim({ owner: "dies", limit: 1, ttl: 5 })).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const { verdicts } = await beginWorker(store, { provider: hello }, { attempts: 2 });
    await waitFor(() => expect(verdicts()).toEqual(["parked"]));
    const [parked] = await store.parked();
    expect(parked).toMatchObject({ key: here, reason: expect.stringContaining("2 workers in a row") });
    expect(await store.unpark(here)).toBe(true);
    await waitFor(() => expect(verdicts()).toEqual(["parked", "done"]));
  });
});

describe("a store in trouble", () => {
  it("is told, and the worker goes on when it is over", async () => {
    const store = memoryStore();
    let failures = 3;
    const shaky = {
      ...store,
      claim: async (options: Parameters<typeof store.claim>[0]) => {
        if (failures-- > 0) throw new StoreError("unavailable", "The server restarts.");
        return store.claim(options);
      },
    };
    const { worker, verdicts, events, agent } = await beginWorker(shaky, { provider: hello });
    await agent.send(here, prompt);
    await waitFor(() => expect(verdicts()).toEqual(["done"]));
    expect(events[0]).toMatchObject({ type: "trouble", doing: "claim" });
    await waitFor(() => expect(worker.health()).toMatchObject({ state: "idle", trouble: undefined }));
  });
});
