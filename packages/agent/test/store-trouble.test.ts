import type { LogEvent } from "@cogency/protocol";
import { ProviderError, scripted } from "@cogency/provider";
import { ConflictError, memoryStore, type Store, StoreError } from "@cogency/storage";
import type { AppendOptions } from "@cogency/storage/adapter";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { block, clocked, collect, echo, types } from "./support/fixtures.ts";

const conversation = "c";
const away = () => new StoreError("unavailable", "The database is restarting.");
const script = [`So.${block(["echo", { text: "x" }])}`, "Done.<end>"];

type Append = Store["append"];

/** A store of which `append` may go wrong, and how often it was asked. */
function troubled(trouble: (append: () => Promise<number>, nth: number) => Promise<number>, inner = memoryStore()) {
  const asked: (AppendOptions | undefined)[] = [];
  const append: Append = (key, events, options) => {
    asked.push(options);
    return trouble(() => inner.append(key, events, options), asked.length);
  };
  return { inner, asked, store: { ...inner, append } };
}

const shapeOf = (log: readonly LogEvent[]) =>
  log.map((event) => (event.type === "record" ? event.kind : "content" in event ? event.content : event.type));

describe("an append of a run", () => {
  it("has a `batch` id of its own", async () => {
    const { store, asked } = troubled((append) => append());
    await createAgent({ provider: scripted(script), tools: [echo], store }).run("go", { conversation }).result;
    const batches = asked.map((options) => options?.batch);
    expect(batches.every((batch) => typeof batch === "string")).toBe(true);
    expect(new Set(batches).size).toBe(batches.length);
  });

  it("is repeated with the same id if the answer was lost: nothing is stored twice, and the run continues", async () => {
    const expected = memoryStore();
    await createAgent({ provider: scripted(script), tools: [echo], store: expected }).run("go", { conversation })
      .result;
    const shape = shapeOf(await expected.load({ conversation }));
    const appends = 5;
    for (let lost = 1; lost <= appends; lost++) {
      const { store, inner, asked } = troubled(async (append, nth) => {
        const last = await append();
        if (nth === lost) throw away();
        return last;
      });
      const run = createAgent({ provider: scripted(script), tools: [echo], store }).run("go", { conversation });
      expect(await run.result).toMatchObject({ status: "completed", text: "Done." });
      expect(shapeOf(await inner.load({ conversation }))).toEqual(shape);
      expect(asked[lost]?.batch).toBe(asked[lost - 1]?.batch);
      expect(asked).toHaveLength(appends + 1);
    }
  });

  it("is repeated while the store is unavailable for a moment, also the one that stores `cancelled`", async () => {
    const { store, inner } = troubled((append, nth) => (nth % 3 === 0 ? append() : Promise.reject(away())));
    const run = createAgent({ provider: scripted(script), tools: [echo], store }).run("go", { conversation });
    for await (const event of run) if (event.type === "result") break;
    expect(types(await inner.load({ conversation })).at(-1)).toBe("cancelled");
  });

  it("is tried four times at most; then the run fails with the store's error", async () => {
    const { store, asked } = troubled((append, nth) => (nth === 1 ? append() : Promise.reject(away())));
    const run = createAgent({ provider: scripted(["Hello."]), store }).run("go", { conversation });
    expect(await run.result).toMatchObject({
      status: "failed",
      error: { code: "store", message: "The database is restarting.", cause: { code: "unavailable" } },
    });
    // The answer and its usage are one append.
    expect(asked).toHaveLength(1 + 4);
  });

  it.each<[string, () => Error]>([
    ["full", () => new StoreError("full", "No room.")],
    ["closed", () => new StoreError("closed", "Closed.")],
    ["corrupt", () => new StoreError("corrupt", "Damaged.")],
    ["another writer's", () => new ConflictError(1, 2)],
    ["of no known kind", () => new Error("?")],
  ])("is not repeated after a failure that will not pass: %s", async (_, failure) => {
    const { store, asked } = troubled(() => Promise.reject(failure()));
    await createAgent({ provider: scripted([]), store }).run("go", { conversation }).result;
    expect(asked).toHaveLength(1);
  });

  it("still fails if another writer wrote while the answer was lost", async () => {
    const { store, inner } = troubled(async (append, nth) => {
      await append();
      if (nth !== 2) return append();
      await inner.delete({ conversation });
      await inner.append({ conversation }, [{ type: "user", content: "other", timestamp: 1 }]);
      throw away();
    });
    const result = await createAgent({ provider: scripted(["Hello."]), store }).run("go", { conversation }).result;
    expect(result).toMatchObject({ status: "failed", error: { code: "store" } });
    expect(shapeOf(await inner.load({ conversation }))).toEqual(["other"]);
  });

  it("stores nothing twice if the lease was lost together with the answer", async () => {
    const { store: inner, time } = clocked();
    const { store } = troubled(async (append, nth) => {
      const last = await append();
      if (nth !== 2) return last;
      time.now += 60_000;
      throw away();
    }, inner);
    const run = createAgent({ provider: scripted(script), tools: [echo], store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "completed" });
    expect(types(await inner.load({ conversation }, { types: ["respond"] }))).toHaveLength(2);
  });

  it("is not the only request that is repeated: so is a load", async () => {
    const inner = memoryStore();
    let reads = 0;
    const store: Store = {
      ...inner,
      load: (...asked) => (reads++ % 2 === 0 ? Promise.reject(away()) : inner.load(...asked)),
    };
    const run = createAgent({ provider: scripted(script), tools: [echo], store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "completed" });
  });
});

describe("a run that fails, and whose store then fails", () => {
  /** All errors that can be reached from this one. */
  function reached(error: unknown): unknown[] {
    if (!(error instanceof Error)) return [];
    const more = error instanceof AggregateError ? error.errors : [];
    return [error, ...[error.cause, ...more].flatMap(reached)];
  }
  const unauthorized = new ProviderError("authentication", "The key is not known.", { status: 401 });

  it.each<[string, (events: readonly LogEvent[]) => boolean]>([
    ["what was said until then", (events) => events.some(({ type }) => type === "respond")],
    ["what it used", (events) => events.some((event) => event.type === "record" && event.kind === "usage")],
    ["anything at all", (events) => !events.some(({ type }) => type === "user")],
  ])("reports both failures, the first one first: %s", async (_, isLost) => {
    const full = new StoreError("full", "There is no room left.");
    const inner = memoryStore();
    const append: Append = (key, events, options) =>
      isLost(events) ? Promise.reject(full) : inner.append(key, events, options);
    const provider = scripted([{ chunks: "Half", error: unauthorized }]);
    const run = createAgent({ provider, store: { ...inner, append } }).run("go", { conversation });
    const thrown = await collect(run).catch((error: unknown) => error);
    const { error } = await run.result;
    expect(thrown).toBe(error);
    expect(error).toMatchObject({
      code: "provider",
      message: "The key is not known. After that: There is no room left.",
    });
    const authentication = expect.objectContaining({ name: "ProviderError", code: "authentication", status: 401 });
    expect(reached(error)).toEqual(expect.arrayContaining([authentication, full]));
    // The chain of causes leads to the first one.
    const chain: unknown[] = [];
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) chain.push(cause);
    expect(chain).toContainEqual(authentication);
  });

  it("reports the failure of a tool, too", async () => {
    const full = new StoreError("full", "There is no room left.");
    const inner = memoryStore();
    const append: Append = (key, events, options) =>
      events.some(({ type }) => type === "result") ? Promise.reject(full) : inner.append(key, events, options);
    const failing = { ...echo, execute: () => Promise.reject(new Error("out of paper")) };
    const options = { tools: [failing], store: { ...inner, append }, execution: { throwOnToolFailure: true } };
    const { error } = await createAgent({ provider: scripted(script), ...options }).run("go", { conversation }).result;
    expect(error?.code).toBe("tool");
    const all = reached(error).map((one) => (one instanceof Error ? one.message : ""));
    expect(all).toEqual(expect.arrayContaining(["There is no room left.", "out of paper"]));
  });

  it("reports a store's failure once", async () => {
    const { store } = troubled((append, nth) =>
      nth === 1 ? append() : Promise.reject(new StoreError("full", "There is no room left.")),
    );
    const { error } = await createAgent({ provider: scripted(["Hello."]), store }).run("go", { conversation }).result;
    expect(error).toMatchObject({ code: "store", message: "There is no room left.", cause: { code: "full" } });
  });
});
