import { inspect } from "node:util";
import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { collect, types } from "../test/support/fixtures.ts";
import { createAgent } from "./create-agent.ts";
import type { Run } from "./run.ts";

describe("a run that is inspected", () => {
  it.each<[string, (run: Run) => unknown]>([
    ["serialized", (run) => JSON.stringify(run)],
    ["serialized as a part of something", (run) => JSON.stringify({ runs: [run] })],
    ["printed", (run) => inspect(run)],
    ["printed with its getters", (run) => inspect(run, { getters: true, depth: null })],
    ["cloned", (run) => structuredClone({ ...run, [Symbol.asyncIterator]: undefined })],
    ["spread", (run) => ({ ...run })],
    ["listed", (run) => Object.entries(run)],
    ["assigned", (run) => Object.assign({}, run)],
    ["awaited", async (run) => await run],
    ["returned from an async function", (run) => Promise.resolve(run)],
  ])("does not begin when it is %s, and still gives its events afterwards", async (_, look) => {
    const provider = scripted(["Hello.<end>"]);
    const run = createAgent({ provider }).run("go", { conversation: "c" });
    await look(run);
    await new Promise(setImmediate);
    expect(provider.requests).toEqual([]);
    expect(types(await collect(run))).toContain("respond");
    expect(await run.result).toMatchObject({ status: "completed", text: "Hello." });
  });

  it("shows its conversation", () => {
    const run = createAgent({ provider: scripted([]) }).run("go", { conversation: "c" });
    expect(JSON.stringify(run)).toBe('{"conversation":"c"}');
    expect(inspect(run)).toContain("'c'");
    expect(structuredClone(run)).toEqual({ conversation: "c" });
  });
});

describe("the run object", () => {
  it("starts at the first pull", async () => {
    const provider = scripted(["a"]);
    const run = createAgent({ provider }).run("go");
    await Promise.resolve();
    expect(provider.requests).toEqual([]);
    await run.result;
    expect(provider.requests).toHaveLength(1);
  });

  it("gives its events once", async () => {
    const run = createAgent({ provider: scripted(["a"]) }).run("go");
    await collect(run);
    expect(() => run[Symbol.asyncIterator]()).toThrow("once");
  });

  it("gives its events to a consumer that reads the result first and iterates at once", async () => {
    const run = createAgent({ provider: scripted(["a"]) }).run("go");
    const result = run.result;
    expect(types(await collect(run))).toContain("respond");
    expect(await result).toMatchObject({ text: "a" });
  });
});
