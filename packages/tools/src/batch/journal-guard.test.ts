import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf, freeTool, never, parallel, sequential } from "../../test/support/fixtures.ts";

describe("the journal", () => {
  it("is written before a body begins and after it has ended, and each entry is awaited", async () => {
    const steps: string[] = [];
    const tool = freeTool("work", () => void steps.push("body"));
    const journal = {
      question() {},
      approval: () => {},
      started: async () => {
        await delay(5);
        steps.push("started");
      },
      finished: async ({ outcome }: { outcome: string }) => {
        await delay(5);
        steps.push(`finished ${outcome}`);
      },
    };
    await executorOf([tool]).run([{ name: "work", args: {} }], batchContext({ journal }), parallel);
    expect(steps).toEqual(["started", "body", "finished success"]);
  });

  it("gets no entry of a call whose body never begins", async () => {
    const steps: string[] = [];
    const journal = {
      question() {},
      approval: () => {},
      started: () => void steps.push("started"),
      finished: () => void steps.push("finished"),
    };
    await executorOf([echo], { approval: { policy: () => "deny" } }).run(
      [
        { name: "nope", args: {} },
        { name: "echo", args: {} },
      ],
      batchContext({ journal }),
      parallel,
    );
    expect(steps).toEqual([]);
  });

  it("is written before the next call of the same resource begins", async () => {
    const steps: unknown[] = [];
    const tool = freeTool("work", ({ n }) => void steps.push(n), { resource: () => ["a"] });
    const journal = {
      question() {},
      approval: () => {},
      started: () => {},
      finished: async () => {
        await delay(5);
        steps.push("finished");
      },
    };
    await executorOf([tool]).run(
      [0, 1].map((n) => ({ name: "work", args: { n } })),
      batchContext({ journal }),
      parallel,
    );
    expect(steps).toEqual([0, "finished", 1, "finished"]);
  });

  it("gets a `finished` for each `started`", async () => {
    const user = new AbortController();
    const steps: string[] = [];
    const journal = {
      question() {},
      approval: () => {},
      started: () => {
        steps.push("started");
        user.abort();
      },
      finished: ({ outcome, started }: { outcome: string; started: boolean }) =>
        void steps.push(`${outcome} ${started}`),
    };
    const executions = await executorOf([echo]).run(
      [{ name: "echo", args: {} }],
      batchContext({ journal, signal: user.signal }),
      parallel,
    );
    expect(steps).toEqual(["started", "cancelled false"]);
    expect(executions).toMatchObject([{ outcome: "cancelled", started: false }]);
  });

  it.each(["started", "finished"] as const)(
    "does not hold up a cancelled run when `%s` never settles",
    async (step) => {
      const user = new AbortController();
      const bodies: unknown[] = [];
      const hang = () => {
        user.abort();
        return new Promise<never>(() => {});
      };
      const journal = { question() {}, approval: () => {}, started: () => {}, finished: () => {}, [step]: hang };
      const run = executorOf([freeTool("work", () => bodies.push("ran"))]).run(
        [
          { name: "work", args: {} },
          { name: "work", args: {} },
        ],
        batchContext({ journal, signal: user.signal }),
        sequential,
      );
      await expect(run).rejects.toMatchObject({ code: "journal_stalled", grace: 250 });
      expect(bodies).toEqual(step === "started" ? [] : ["ran"]);
    },
  );

  it("is awaited for a short time when the run is cancelled", async () => {
    const user = new AbortController();
    const steps: string[] = [];
    const journal = {
      question() {},
      approval: () => {},
      started: async () => {
        user.abort();
        await delay(5);
        steps.push("started");
      },
      finished: async () => {
        await delay(5);
        steps.push("finished");
      },
    };
    await executorOf([echo]).run(
      [{ name: "echo", args: {} }],
      batchContext({ journal, signal: user.signal }),
      parallel,
    );
    expect(steps).toEqual(["started", "finished"]);
  });

  it.each(["started", "finished"] as const)(
    "ends the batch when it fails at `%s`, and nothing else begins",
    async (step) => {
      const bodies: unknown[] = [];
      let ended = 0;
      const work = freeTool("work", ({ n }) => bodies.push(n));
      const began = Promise.withResolvers<void>();
      const long = freeTool("long", (_, { signal }) => {
        began.resolve();
        return delay(60_000, null, { signal }).finally(() => {
          ended += 1;
        });
      });
      const full = async () => {
        await began.promise;
        throw new Error("disk full");
      };
      const quiet = () => {};
      const journal = {
        question() {},
        approval: () => {},
        started: ({ name }: { name: string }) => (step === "started" && name === "work" ? full() : quiet()),
        finished: ({ call }: { call: { name: string } }) =>
          step === "finished" && call.name === "work" ? full() : quiet(),
      };
      const calls = [{ name: "long", args: {} }, ...[0, 1, 2].map((n) => ({ name: "work", args: { n } }))];
      const run = executorOf([work, long], { concurrency: 2 }).run(calls, batchContext({ journal }), parallel);
      await expect(run).rejects.toThrow("disk full");
      expect(bodies).toEqual(step === "started" ? [] : [0]);
      expect(ended).toBe(1);
    },
  );

  it("is not called again after it failed", async () => {
    const entries: string[] = [];
    const journal = {
      question() {},
      approval: () => {},
      started: async ({ name }: { name: string }) => {
        entries.push(`started ${name}`);
        if (name === "first") return;
        await delay(5);
        throw new Error("disk full");
      },
      finished: ({ call }: { call: { name: string } }) => void entries.push(`finished ${call.name}`),
    };
    const first = freeTool("first", (_, { signal }) => delay(60_000, null, { signal }));
    const run = executorOf([first, freeTool("second", never)]).run(
      ["first", "second"].map((name) => ({ name, args: {} })),
      batchContext({ journal }),
      parallel,
    );
    await expect(run).rejects.toThrow("disk full");
    expect(entries).toEqual(["started first", "started second"]);
  });
});
