import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentHook, protocolDriver } from "../../src/index.ts";
import { block, conversation } from "../support/fixtures.ts";
import { callThenAnswer, hooked } from "./stage.ts";

/** A hook that chooses for the step with this number. */
const inStep = (wanted: number, choice: object): AgentHook => ({
  name: "chooser",
  beforeStep: ({ state }) => (state.step === wanted ? choice : undefined),
});

describe("a hook before a step", () => {
  it("chooses another model for this step alone, and its price counts", async () => {
    const other = scripted([block(["act", { what: "b" }])], { name: "other", model: "big" });
    const prices = { "scripted-1": { input: 1, output: 1 }, big: { input: 1_000_000, output: 0 } };
    const stage = hooked(["Done.<end>"], [inStep(1, { provider: other })], {
      prices,
      budget: { cost: Number.POSITIVE_INFINITY },
      request: { model: "scripted-1", options: { secret: 1 }, temperature: 0.5 },
    });
    const { text, cost = 0, status } = await stage.go();
    expect({ status, text, effects: stage.effects }).toEqual({
      status: "completed",
      text: "Done.",
      effects: ["act b"],
    });
    const [asked] = other.requests;
    expect(asked).toMatchObject({ temperature: 0.5 });
    expect([asked?.model, asked?.options]).toEqual([undefined, undefined]);
    expect(stage.provider.requests).toMatchObject([{ model: "scripted-1", options: { secret: 1 } }]);
    expect(stage.toldOf("request_started").map(({ model }) => model)).toEqual(["big", "scripted-1"]);
    expect(cost).toBeGreaterThan(1);
  });

  it("whose price is unknown stops a run whose cost is limited", async () => {
    const other = scripted([], { name: "other", model: "big" });
    const prices = { "scripted-1": { input: 1, output: 1 } };
    const stage = hooked([], [inStep(1, { provider: other })], { prices, budget: { cost: 1 } });
    expect(await stage.go()).toMatchObject({ status: "stopped", stop: { reason: "cost_limit" } });
    expect(other.requests).toEqual([]);
  });

  it("lets `fallback` take over from the model that it chose, for this step alone", async () => {
    const down = scripted([{ error: new ProviderError("connection", "no line") }], { name: "down" });
    const spare = scripted([block(["act", { what: "b" }])], { name: "spare" });
    const stage = hooked(["Done.<end>"], [inStep(1, { provider: down })], { fallback: [spare] });
    expect(await stage.go()).toMatchObject({ status: "completed", text: "Done." });
    expect([spare, stage.provider].map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  it("keeps the tools of the step for a provider of `fallback`, which then goes on with all", async () => {
    const spare = scripted(callThenAnswer, { name: "spare" });
    const stage = hooked([{ error: new ProviderError("connection", "no line") }], [inStep(1, { tools: ["act"] })], {
      fallback: [spare],
    });
    await stage.go();
    const offers = spare.requests.map(({ system }) => [system.includes("- act:"), system.includes("- other:")]);
    expect(offers).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("chooses how the model is asked", async () => {
    const stage = hooked(callThenAnswer, [inStep(2, { driver: protocolDriver({ dialect: "xml" }) })]);
    await stage.go();
    const [json, xml] = stage.provider.requests;
    expect(json?.system).not.toBe(xml?.system);
    expect(xml?.system).toContain("one element per call");
  });

  it("chooses the settings of the requests of this step", async () => {
    const stage = hooked(
      callThenAnswer,
      [inStep(2, { request: { model: "tiny", temperature: 0, maxOutputTokens: 5 } })],
      {
        request: { temperature: 1 },
      },
    );
    await stage.go();
    const settings = stage.provider.requests.map(({ model, temperature, maxOutputTokens }) => [
      model,
      temperature,
      maxOutputTokens,
    ]);
    expect(settings).toEqual([
      [undefined, 1, undefined],
      ["tiny", 0, 5],
    ]);
  });

  it("offers only the tools that it allows, and a call of another does not run", async () => {
    const calls = block(["other", { what: "a" }], ["act", { what: "b" }]);
    const stage = hooked([calls, calls, "Done.<end>"], [inStep(1, { tools: ["act"] })]);
    expect(await stage.go()).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(stage.effects).toEqual(["act b", "other a", "act b"]);
    expect(stage.provider.requests[0]?.system).not.toContain("- other:");
    expect(stage.provider.requests[1]?.system).toContain("- other:");
    expect(stage.toldOf("tool_blocked")).toMatchObject([
      { name: "other", reason: expect.stringContaining("not available in this step") },
    ]);
    const [first] = JSON.parse(stage.toldOf("result")[0]?.content ?? "");
    expect(first.content).toContain("not available in this step");
  });

  it("is not fooled by a hook that renames the call afterwards", async () => {
    const renaming: AgentHook = { name: "renaming", beforeToolUse: () => ({ call: { name: "other" } }) };
    const stage = hooked(callThenAnswer, [inStep(1, { tools: ["act"] }), renaming]);
    await stage.go();
    expect(stage.effects).toEqual([]);
  });

  it("allows what all of several hooks allow", async () => {
    const calls = block(["other", { what: "a" }], ["act", { what: "b" }]);
    const both = [inStep(1, { tools: ["act", "other"] }), inStep(1, { tools: ["other"] })];
    const stage = hooked([calls, "Done.<end>"], both);
    await stage.go();
    expect(stage.effects).toEqual(["other a"]);
  });

  it("that allows a tool which nobody has ends the run, with the name that was meant", async () => {
    const { error } = await hooked(callThenAnswer, [inStep(1, { tools: ["atc"] })]).go();
    expect(error).toMatchObject({
      code: "hook",
      message: expect.stringContaining('no tool is named "atc". Did you mean `act`?'),
    });
  });

  it("is asked again when calls of a process that died go on, and its tools hold", async () => {
    const store = memoryStore();
    const dying: AgentHook = { name: "dying", beforeToolUse: () => new Promise(() => {}) };
    const controller = new AbortController();
    const first = hooked([block(["act", { what: "a" }], ["other", { what: "b" }])], [dying], { store });
    first.on("execute", () => queueMicrotask(() => controller.abort(new DOMException("late", "TimeoutError"))));
    expect((await first.go({ signal: controller.signal })).stop?.reason).toBe("time_limit");

    const seen: boolean[] = [];
    const choosing: AgentHook = {
      name: "choosing",
      beforeStep({ resumes }) {
        seen.push(resumes);
        return { tools: ["act"], notify: "Mind the gap." };
      },
    };
    const second = hooked(["Done.<end>"], [choosing], { store });
    expect(await second.recover()).toMatchObject({ status: "completed", text: "Done." });
    expect(second.effects).toEqual(["act a"]);
    expect(seen).toEqual([true, false]);
    const kinds = (await store.load({ conversation })).flatMap((event) =>
      event.type === "record" ? [] : [event.type],
    );
    // What it tells the model waits for the results of the calls.
    expect(kinds).toEqual(["user", "call", "call", "result", "user", "user", "respond"]);
  });

  it("that stops a run with open calls leaves them open", async () => {
    const store = memoryStore();
    const dying: AgentHook = { name: "dying", beforeToolUse: () => new Promise(() => {}) };
    const controller = new AbortController();
    const first = hooked([block(["act", { what: "a" }])], [dying], { store });
    first.on("execute", () => queueMicrotask(() => controller.abort(new DOMException("late", "TimeoutError"))));
    await first.go({ signal: controller.signal });
    const stop = { reason: "stop_requested" } as const;
    const second = hooked([], [{ name: "no", beforeStep: () => ({ stop }) }], { store });
    expect(await second.recover()).toMatchObject({ status: "stopped", stop: { ...stop, source: "no" } });
    const third = hooked(["Done.<end>"], [], { store });
    expect(await third.recover()).toMatchObject({ status: "completed" });
    expect([second.effects, third.effects]).toEqual([[], ["act a"]]);
  });

  it("tells the model something: an event of the log, the run and the timeline", async () => {
    const stage = hooked(["Hello.<end>"], [inStep(1, { notify: "It is late." })]);
    await stage.go();
    const [request] = stage.provider.requests;
    expect(JSON.stringify(request?.messages)).toContain("It is late.");
    expect((await stage.log()).filter((event) => event.type === "user")).toMatchObject([
      { content: "go" },
      { content: "It is late.", origin: "notice" },
    ]);
    expect(stage.toldOf("notified")).toMatchObject([{ content: "It is late." }]);
    expect(stage.toldOf("user")).toMatchObject([{ content: "go" }, { content: "It is late." }]);
  });

  it("stops the run before the step: the model is not asked, and the end is stored", async () => {
    const stop = { reason: "user_requested", message: "Not now." } as const;
    const stage = hooked(callThenAnswer, [inStep(2, { stop })]);
    expect(await stage.go()).toMatchObject({
      status: "stopped",
      steps: 1,
      stop: { ...stop, source: "chooser", context: {} },
    });
    expect(stage.provider.requests).toHaveLength(1);
    expect(stage.toldOf("step_started")).toHaveLength(1);
    expect(stage.toldOf("stop_requested")).toMatchObject([{ ...stop, source: "chooser" }]);
    expect((await stage.log()).at(-1)).toMatchObject({ kind: "run", data: { status: "stopped" } });
    expect(await stage.recover()).toMatchObject({ status: "stopped", steps: 0, stop });
  });
});
