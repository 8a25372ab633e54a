import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { agentOn } from "../test/support/begin-worker.ts";
import { deciding } from "../test/support/model.ts";
import { createWorker, healthHandler, storeDispatcher, type WorkerOptions, wakingStore } from "./index.ts";

const store = memoryStore();
const agent = agentOn(store, { provider: deciding(() => "") });

describe("createWorker", () => {
  it.each<[object, string]>([
    [{ concurency: 4 }, "createWorker has no option `concurency` (given: 4). Did you mean `concurrency`?"],
    [{ pollInterval: 100 }, "createWorker has no option `pollInterval`"],
    [{ concurrency: 0 }, "`concurrency` is 0; give a whole number from 1"],
    [{ concurrency: Number.POSITIVE_INFINITY }, "`concurrency` is Infinity"],
    [{ attempts: 1.5 }, "`attempts` is 1.5"],
    [{ perUser: "2" }, "`perUser` is a string"],
    [{ ttl: 0 }, "`ttl` is 0"],
    [{ lookEvery: 0 }, "`lookEvery` is 0; give milliseconds of at least 1."],
    [{ lookEvery: Number.POSITIVE_INFINITY }, "a lost wake would never be found"],
    [{ drain: -1 }, "`drain` is -1"],
    [{ on: true }, "`on` is true; give a function."],
    [{ dispatcher: {} }, "give a dispatcher, which has `wake()` and `work()`"],
    [{ agent: undefined }, "createWorker needs `agent`: the agent of createAgent"],
    [{ store: Promise.resolve(store) }, "`store` is a promise"],
  ])("refuses %o", (wrong, message) => {
    expect(() => createWorker({ agent, store, ...wrong } as WorkerOptions)).toThrow(message);
  });
});

it.each<[() => unknown, string]>([
  [() => storeDispatcher(store, { scoped: "a" } as object), "storeDispatcher has no option `scoped` (given: a string)"],
  [() => storeDispatcher(undefined as never), "storeDispatcher needs `store`"],
  [() => wakingStore(store, undefined as never), "wakingStore needs `dispatcher`"],
  [
    () => wakingStore(store, storeDispatcher(store), { onLost() {} } as object),
    "wakingStore has no option `onLost` (given: a function). Its options are `onLostWake`.",
  ],
  [() => healthHandler({} as never), "healthHandler: `worker` is an object; give a worker"],
])("refuses what is no option: %s", (call, message) => {
  expect(call).toThrow(message);
});
