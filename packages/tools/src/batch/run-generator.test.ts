import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, never } from "../../test/support/fixtures.ts";
import type { ToolEvent } from "../host.ts";
import type { ToolContext } from "../index.ts";
import { StopRun } from "../stop-run.ts";
import { isGenerator } from "./run-generator.ts";

type Body = (args: object, context: ToolContext) => unknown;

async function run(body: Body, options: { timeout?: number; grace?: number; signal?: AbortSignal } = {}) {
  const { signal, ...limits } = options;
  const updates: unknown[] = [];
  const observer = (event: ToolEvent) => event.type === "progress" && updates.push(event.update);
  const tool = freeTool("steps", body, limits);
  const [execution] = await executorOf([tool], { observer }).run(
    [{ name: "steps", args: {} }],
    batchContext({ signal }),
  );
  return { execution, updates };
}

const kinds: [string, Body][] = [
  [
    "a generator",
    function* () {
      yield { percent: 10 };
      yield "half";
      return "done";
    },
  ],
  [
    "a generator that yields a promise",
    function* () {
      yield { percent: 10 };
      yield Promise.resolve("half");
      return Promise.resolve("done");
    },
  ],
  [
    "an async generator",
    async function* () {
      yield { percent: 10 };
      await delay(1);
      yield "half";
      return "done";
    },
  ],
  [
    "a promise of one",
    async () =>
      (async function* () {
        yield { percent: 10 };
        yield Promise.resolve("half");
        return "done";
      })(),
  ],
];

describe("a tool whose body is a generator", () => {
  it.each(kinds)("%s: each yield is progress, and its return value is the result", async (_, body) => {
    const { execution, updates } = await run(body);
    expect(execution).toMatchObject({ outcome: "success", value: "done", settled: true });
    expect(updates).toEqual([{ percent: 10 }, "half"]);
  });

  it("may end without a result, and without progress", async () => {
    const { execution, updates } = await run(async function* () {});
    expect([execution?.outcome, execution?.value, updates]).toEqual(["success", undefined, []]);
  });

  it("fails with the error that it throws, and may end the run", async () => {
    const failed = await run(function* () {
      yield 1;
      throw new Error("disk full");
    });
    expect(failed.execution).toMatchObject({ outcome: "failure", error: { message: "disk full" } });
    const stopped = await run(async function* () {
      yield 1;
      throw new StopRun({ reason: "completed" });
    });
    expect(stopped.execution).toMatchObject({ outcome: "success", stop: { reason: "completed" } });
  });

  it("gets the rejection of a promise thrown at its `yield`, as an async generator does", async () => {
    const failing = () => Promise.reject(new Error("disk full"));
    const bodies: Body[] = [
      function* () {
        yield failing();
      },
      async function* () {
        yield failing();
      },
    ];
    for (const body of bodies) {
      const { execution, updates } = await run(body);
      expect([execution?.outcome, execution?.error?.message, updates]).toEqual(["failure", "disk full", []]);
    }
    const { execution, updates } = await run(function* () {
      try {
        yield failing();
      } catch {
        yield "tried again";
      }
      return "done";
    });
    expect([execution?.value, updates]).toEqual(["done", ["tried again"]]);
  });

  it.each<[string, (cleaned: () => void, user: AbortController) => Body]>([
    [
      "one that yields a promise that never settles",
      (cleaned, user) =>
        function* () {
          try {
            setTimeout(() => user.abort(new Error("enough")), 5);
            yield never();
          } finally {
            cleaned();
          }
        },
    ],
    [
      "one that yields while it cleans up",
      (cleaned, user) =>
        function* () {
          try {
            user.abort(new Error("enough"));
            yield 1;
          } finally {
            yield "closing";
            yield delay(2);
            cleaned();
          }
        },
    ],
    [
      "an async one that yields while it cleans up",
      (cleaned, user) =>
        async function* () {
          try {
            user.abort(new Error("enough"));
            yield 1;
          } finally {
            for (let n = 0; n < 3; n++) yield "closing";
            await delay(2);
            yield "closed";
            cleaned();
          }
        },
    ],
    [
      "an async one that waits for its signal",
      (cleaned, user) =>
        async function* (_, { signal }) {
          try {
            yield "begun";
            user.abort(new Error("enough"));
            await delay(60_000, null, { signal });
          } finally {
            cleaned();
          }
        },
    ],
    [
      "an async one that goes on yielding",
      (cleaned, user) =>
        async function* () {
          try {
            for (let n = 0; ; n++) {
              if (n === 3) user.abort(new Error("enough"));
              await delay(0);
              yield n;
            }
          } finally {
            cleaned();
          }
        },
    ],
    [
      "a plain one that never waits",
      (cleaned, user) =>
        function* () {
          setTimeout(() => user.abort(new Error("enough")), 5);
          try {
            while (true) yield "again";
          } finally {
            cleaned();
          }
        },
    ],
    [
      "one that aborts the run itself",
      (cleaned, user) =>
        function* () {
          try {
            user.abort(new Error("enough"));
            yield "never told";
          } finally {
            cleaned();
          }
        },
    ],
    [
      "one whose `finally` takes its time",
      (cleaned, user) =>
        async function* () {
          try {
            user.abort(new Error("enough"));
            yield 1;
          } finally {
            await delay(5);
            cleaned();
          }
        },
    ],
  ])("is ended when the run is cancelled, and cleans up: %s", async (_, bodyOf) => {
    const user = new AbortController();
    let cleanups = 0;
    const body = bodyOf(() => {
      cleanups += 1;
    }, user);
    // The longest grace: a busy machine may be slow to run what `finally` waits for.
    const { execution } = await run(body, { signal: user.signal, grace: 400 });
    expect(execution).toMatchObject({
      outcome: "cancelled",
      settled: true,
      error: { message: "steps was cancelled." },
    });
    expect(cleanups).toBe(1);
  });

  it("is ended at its time limit", async () => {
    let isClean = false;
    const { execution } = await run(
      function* () {
        try {
          while (true) yield 1;
        } finally {
          isClean = true;
        }
      },
      { timeout: 30 },
    );
    expect([execution?.outcome, execution?.settled, isClean]).toEqual(["failure", true, true]);
    expect(execution?.error?.message).toBe("steps timed out after 30 ms.");
  });

  it("reports no progress after its signal aborted, and is not awaited if it ignores that", async () => {
    const user = new AbortController();
    const { execution, updates } = await run(
      async function* () {
        yield 1;
        user.abort();
        await never();
        yield 2;
      },
      { signal: user.signal },
    );
    expect([execution?.outcome, execution?.settled, updates]).toEqual(["cancelled", false, [1]]);
  });

  it.each<[string, unknown]>([
    ["a list", [1, 2]],
    ["a set", new Set([1])],
    ["the iterator of a list", [1].values()],
    ["a stream", new ReadableStream()],
    ["an object with `next`", { next: 5 }],
    ["nothing", undefined],
    ["text", "abc"],
  ])("does not include a body that returns %s", (_, value) => {
    expect(isGenerator(value)).toBe(false);
  });
});
