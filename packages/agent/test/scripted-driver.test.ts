import { parseResults } from "@cogency/protocol";
import { ScriptError } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/index.ts";
import { scriptedDriver } from "../src/scripted.ts";
import { broken, collect, conversation, echo, types } from "./support/fixtures.ts";

describe("a scripted driver", () => {
  it("plays thinking, text and calls, and the calls run", async () => {
    const { driver, provider, assertDone } = scriptedDriver([
      { think: "hm", text: ["Let ", "me look."], calls: [{ name: "echo", args: { text: "a" } }, { name: "broken" }] },
      "It says a.",
    ]);
    const store = memoryStore();
    const agent = createAgent({ driver, provider, tools: [echo, broken], store });
    const run = agent.run("go", { conversation });
    expect(types(await collect(run))).toEqual([
      ...["user", "think", "respond", "call", "call", "execute", "result", "metric"],
      ...["respond", "metric"],
    ]);
    expect(await run.result).toMatchObject({ status: "completed", text: "It says a.", steps: 2, toolErrors: 1 });
    const [result] = await store.load({ conversation }, { types: ["result"] });
    expect(result?.type === "result" && parseResults(result.content)).toMatchObject([
      { tool: "echo", content: "a" },
      { tool: "broken", status: "failure" },
    ]);
    assertDone();
  });

  it.each(["token", "event", null] as const)("gives the same log in stream %j", async (stream) => {
    const { driver, provider } = scriptedDriver([
      { text: ["One ", "two."], calls: [{ name: "echo", args: { text: "a" } }] },
      "Done.",
    ]);
    const store = memoryStore();
    const agent = createAgent({ driver, provider, tools: [echo], store });
    const events = await collect(agent.run("go", { conversation, stream }));
    const shown = events.flatMap((event) => (event.type === "respond" ? [event.content] : []));
    expect(shown).toEqual(stream === "token" ? ["One", " two.", "Done."] : ["One two.", "Done."]);
    const log = await store.load({ conversation }, { types: ["respond", "call", "result"] });
    expect(types(log)).toEqual(["respond", "call", "result", "respond"]);
  });

  it("asks for approval as with a model", async () => {
    const pay = defineTool({
      name: "pay",
      description: "Pay.",
      input: z.object({}),
      approval: "ask",
      execute: () => "paid",
    });
    const { driver, provider, assertDone } = scriptedDriver([{ calls: [{ name: "pay" }] }, "Done."]);
    const agent = createAgent({ driver, provider, tools: [pay] });
    expect(await agent.ask("go", { approve: async () => false })).toMatchObject({ status: "completed", toolErrors: 1 });
    assertDone();
  });

  it("makes a step of what has happened", async () => {
    const seen: unknown[] = [];
    const { driver, provider, requests } = scriptedDriver([
      { calls: [{ name: "echo", args: { text: "a" } }] },
      ({ step, log, tools, messages }) => {
        seen.push(
          step,
          types(log).includes("result"),
          tools.map(({ name }) => name),
          messages.at(-1)?.role,
        );
        return `I saw ${messages.length} messages.`;
      },
    ]);
    const agent = createAgent({ driver, provider, tools: [echo], instructions: "Be kind." });
    expect(await agent.ask("go")).toMatchObject({ text: "I saw 3 messages." });
    expect(seen).toEqual([2, true, ["echo"], "tool"]);
    expect(requests.map(({ system }) => system)).toEqual(["Be kind.", "Be kind."]);
  });

  it("counts the usage that the steps say, and none otherwise", async () => {
    const { driver, provider } = scriptedDriver([
      { calls: [{ name: "echo", args: { text: "a" } }], usage: { input: 7, output: 2 } },
      "Done.",
    ]);
    const { usage } = await createAgent({ driver, provider, tools: [echo] }).ask("go");
    expect(usage).toEqual({ input: 7, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  });

  it("fails as a provider fails: the text before it stays, and no call runs", async () => {
    const error = new Error("The line is dead.");
    const { driver, provider, assertDone } = scriptedDriver([
      { text: "Half", calls: [{ name: "echo", args: { text: "a" } }], error },
      "Whole.",
    ]);
    const store = memoryStore();
    const agent = createAgent({ driver, provider, tools: [echo], store });
    const failed = await agent.ask("go", { conversation });
    expect(failed).toMatchObject({ status: "failed", text: "Half", error: { code: "provider", cause: error } });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Whole." });
    assertDone();
  });

  it("fails a run that begins a step after the last one, and says so again at the end", async () => {
    const { driver, provider, assertDone } = scriptedDriver([{ calls: [{ name: "echo", args: { text: "a" } }] }]);
    const { status, error } = await createAgent({ driver, provider, tools: [echo] }).ask("go");
    expect([status, error?.code]).toEqual(["failed", "driver"]);
    expect(error?.cause).toBeInstanceOf(ScriptError);
    expect(error?.cause).toMatchObject({ code: "unexpected_request" });
    expect(error?.message).toContain("The run began step 2, but the script has 1.");
    expect(error?.message).toContain('"role":"tool"');
    expect(() => assertDone()).toThrow(error?.message);
  });

  it("says how many steps were not begun", async () => {
    const { driver, provider, assertDone } = scriptedDriver(["One.", "Two.", "Three."]);
    await createAgent({ driver, provider }).ask("go");
    expect(() => assertDone()).toThrow(ScriptError);
    expect(() => assertDone()).toThrow("2 of 3 steps of the script were never begun.");
  });

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "Step 2 of the script is undefined"],
    ["a number", 7, "Step 2 of the script is 7"],
    [
      "a misspelled field",
      { call: [] },
      "Step 2 of the script has no option `call` (given: an array). Did you mean `calls`?",
    ],
    [
      "calls without names",
      { calls: ["echo"] },
      "Step 2 of the script: `calls[0]` is a string; give an object with `name`, `args`.",
    ],
  ])("refuses %s at once, or when its function is called", async (_, step, problem) => {
    expect(() => scriptedDriver(["One.", step as string])).toThrow(problem);
    const { driver, provider } = scriptedDriver(["One.", () => step as string]);
    const agent = createAgent({ driver, provider });
    await agent.ask("go");
    const { error } = await agent.ask("go");
    expect([error?.code, error?.message]).toEqual(["driver", expect.stringContaining(problem)]);
  });

  it("has a provider that answers no other driver", async () => {
    const { provider } = scriptedDriver(["One."]);
    const { error } = await createAgent({ provider }).ask("go");
    expect([error?.code, error?.message]).toEqual(["provider", expect.stringContaining("give createAgent both")]);
  });

  it("is cancelled as a model is", async () => {
    const { driver, provider } = scriptedDriver([{ text: ["One ", "two ", "three"] }]);
    const controller = new AbortController();
    const run = createAgent({ driver, provider }).run("go", { stream: "token", signal: controller.signal });
    for await (const event of run) if (event.type === "respond") controller.abort();
    expect(await run.result).toMatchObject({ status: "stopped", text: "One" });
  });
});
