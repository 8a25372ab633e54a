import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { agentOn, beginWorker, prompt } from "./support/begin-worker.ts";
import { calling } from "./support/model.ts";
import { counting, here, never, settled, waitFor } from "./support/watching.ts";

describe("a worker", () => {
  it("keeps a claim for as long as the run lasts, so that no other looks after it and the user's place stays taken", async () => {
    const store = memoryStore();
    const [slow, fast] = [Promise.withResolvers<string>(), counting()];
    const long = counting(() => slow.promise);
    const first = await beginWorker(
      store,
      { provider: calling("count"), tools: [long.tool] },
      { ttl: 1500, perUser: 1 },
    );
    await first.agent.send({ ...here, user: "ada" }, prompt);
    await waitFor(() => expect(long.begun).toBe(1));
    const second = await beginWorker(
      store,
      { provider: calling("count"), tools: [fast.tool] },
      { ttl: 1500, perUser: 1 },
    );
    await first.agent.send({ conversation: "d", user: "ada" }, prompt);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect([first.events.length, second.events, fast.begun]).toEqual([1, [], 0]);
    expect((await store.queue()).claims.map(({ key, attempts }) => [key.conversation, attempts])).toEqual([["c", 1]]);
    slow.resolve("ok");
    await settled(store);
    expect([...first.verdicts(), ...second.verdicts()]).toEqual(["done", "done"]);
  });
});

describe("a conversation that kills workers", () => {
  it.each([
    { deaths: 2, together: 3 },
    { deaths: 3, together: 1 },
  ])(
    "runs beside no other that may be the one once it is near its end: after $deaths deaths, $together at one time",
    async ({ deaths, together }) => {
      const store = memoryStore();
      const names = ["a", "b", "c"];
      const sender = agentOn(store, { provider: never });
      for (const conversation of names) await sender.send({ conversation }, prompt);
      for (let death = 0; death < deaths; death++) {
        expect(await store.claim({ owner: "dies", limit: 3, ttl: 5 })).toHaveLength(3);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      let open = 0;
      let most = 0;
      const counter = counting(async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 100));
        open--;
      });
      const { verdicts } = await beginWorker(
        store,
        { provider: calling("count"), tools: [counter.tool] },
        { attempts: 5 },
      );
      await waitFor(() => expect(verdicts()).toEqual(["done", "done", "done"]));
      expect(most).toBe(together);
    },
  );
});

describe("a store in trouble", () => {
  it("that hangs does not keep the worker from being drained", async () => {
    const store = memoryStore();
    const hanging = { ...store, claim: () => new Promise<never>(() => {}) };
    const { worker } = await beginWorker(hanging, { provider: never });
    await worker.drain();
    expect(worker.health().state).toBe("ended");
  });
});
