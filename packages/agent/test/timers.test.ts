import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { afterEach, expect, it, vi } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { block, echo } from "./support/fixtures.ts";

afterEach(() => vi.restoreAllMocks());

it("Runs that are over leave no timer of their own", async () => {
  const timers = new Set<unknown>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, delay?: number) => {
    const timer = start(() => {
      timers.delete(timer);
      work();
    }, delay);
    timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    timers.delete(timer);
    stop(timer);
  });
  const store = memoryStore();
  for (let nth = 0; nth < 20; nth++) {
    const provider = scripted([`So.${block(["echo", { text: "x" }])}`, "Done.<end>"]);
    const agent = createAgent({ provider, store, tools: [echo] });
    const { result } = agent.run("go", { conversation: `${nth}` });
    expect(await result).toMatchObject({ status: "completed" });
  }
  expect(vi.mocked(setTimeout)).toHaveBeenCalled();
  expect(timers.size).toBe(0);
});
