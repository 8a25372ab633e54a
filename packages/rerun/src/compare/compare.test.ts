import { createAgent } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { call, clock, options, prices, step, trip, usage, weather } from "../../test/support/trip.ts";
import { compare } from "./compare.ts";
import type { CompareOptions } from "./compare-options.ts";
import { stepsAtMost } from "./steps-at-most.ts";
import { stepsOf } from "./steps-of.ts";
import { summarize } from "./summarize.ts";

describe("compare", () => {
  it("runs the last turn again with another model over the same bytes, and answers calls from the record", async () => {
    const log = await trip();
    const ran: string[] = [];
    const { recorded, variants, from, prompt } = await compare(log, {
      ...options([
        step(call("Oslo"), 10, 5, 150),
        step(call("Rome"), 10, 5, 180),
        step("Oslo is wet.<end>", 10, 6, 200),
      ]),
      agent: (parts) => createAgent({ tools: [weather(ran)], prices, clock: clock(), ...parts }),
    });
    expect({ from, prompt, ran }).toEqual({
      from: log.find((e) => e.type === "record" && e.kind === "request" && e.seq > 12)?.seq,
      prompt: "And Oslo and Bern?",
      ran: [],
    });
    expect(recorded).toMatchObject({
      name: "recorded",
      model: "scripted-1",
      status: "completed",
      steps: 3,
      calls: 2,
      text: "Oslo and Bern are wet.",
    });
    expect(recorded.usage).toEqual(usage(570, 55));
    expect(recorded.cost).toBeCloseTo((570 * 2 + 55 * 10) / 1e6, 10);
    const [small] = variants;
    expect(small).toMatchObject({
      name: "small",
      model: "small",
      driver: "protocol",
      status: "completed",
      steps: 3,
      calls: 2,
      text: "Oslo is wet.",
    });
    expect(small?.usage).toEqual(usage(30, 16, 530));
    expect(small?.cost).toBeCloseTo((30 + 16 * 4 + 53) / 1e6, 10);
    expect(small?.differences.map(({ kind, recorded, made }) => [kind, recorded?.args.city, made?.args.city])).toEqual([
      ["same", "Oslo", "Oslo"],
      ["changed", "Bern", "Rome"],
    ]);
    expect(small?.uses?.map(({ args, recorded }) => [args.city, recorded?.result?.content])).toEqual([
      ["Oslo", "rain in Oslo"],
      ["Rome", undefined],
    ]);
    expect(small?.prefix).toMatchObject({ form: "json", same: true, record: "agrees", differs: ["model"] });
  });

  it("shows that the first request holds the recorded messages byte for byte: those that the recorded model got", async () => {
    const provider = scripted([step(call("Kiel"), 1, 1), step("Wet.<end>", 1, 1), step("Yes.<end>", 1, 1)]);
    const store = memoryStore();
    const agent = createAgent({ provider, tools: [weather()], store, recordRequests: true });
    await agent.ask("Kiel?", { conversation: "c" });
    await agent.ask("Sure?", { conversation: "c" });
    const other = scripted([step("No.<end>", 1, 1)]);
    const { variants } = await compare(
      { store, conversation: "c" },
      { ...options([]), variants: [{ name: "other", provider: other }] },
    );
    expect(other.requests[0]?.messages).toEqual(provider.requests[2]?.messages);
    expect(other.requests[0]?.system).toBe(provider.requests[2]?.system);
    expect(variants[0]?.prefix).toMatchObject({
      messages: provider.requests[2]?.messages.length,
      same: true,
      differs: [],
    });
    expect(await store.conversations()).toHaveLength(1);
  });

  it("sends notices again that began turns, so that both sides have the same turns", async () => {
    const store = memoryStore();
    const answers = ["Hello.<end>", "The build is done.<end>", "Bye.<end>"].map((text) => step(text, 1, 1));
    const agent = createAgent({ provider: scripted(answers), store, recordRequests: true });
    const key = { conversation: "c" };
    await agent.ask("Hello?", key);
    await agent.send(key, { kind: "notice", source: "ci", content: "Build 12 is done." });
    await agent.sweep();
    await agent.ask("Bye?", key);
    const from = (await store.load(key)).find(({ type }) => type === "user")?.seq;
    const other = scripted(answers);
    const { recorded, variants } = await compare(
      { store, ...key },
      { ...options([]), from, variants: [{ name: "other", provider: other }] },
    );
    expect([recorded.steps, variants[0]?.steps, variants[0]?.text]).toEqual([3, 3, "Bye."]);
    expect(JSON.stringify(other.requests[1]?.messages.at(-1))).toContain("Build 12 is done.");
  });

  it("begins before any step, and sends the prompts that followed again", async () => {
    const log = await trip();
    const allowed = stepsOf(log).steps.map(({ first }) => log[first]?.seq ?? 0);
    expect(allowed).toHaveLength(5);
    for (const [index, from] of allowed.entries()) {
      const provider = scripted(Array.from({ length: index < 2 ? 2 : 1 }, () => "Dry.<end>"));
      const { variants } = await compare(log, { ...options([]), from, variants: [{ name: "dry", provider }] });
      expect(variants[0]).toMatchObject({
        status: "completed",
        text: "Dry.",
        prefix: { same: true, record: "agrees" },
      });
      provider.assertDone();
      expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain("And Oslo and Bern?");
    }
  });

  it("refuses a number inside of a step, and names those that are allowed", async () => {
    const log = await trip();
    const inside = log.find(({ type }) => type === "call")?.seq ?? 0;
    const [first, second] = stepsOf(log).steps.map(({ first }) => log[first]?.seq);
    await expect(compare(log, options([], { from: inside }))).rejects.toMatchObject({
      code: "not_between_rounds",
      message: `Event ${inside} is inside of what the model wrote before it read anything new. Allowed next to it: ${first}, ${second}, ${stepsOf(
        log,
      )
        .steps.slice(2, 3)
        .map(({ first }) => log[first]?.seq)}, or the number of a prompt.`,
    });
    await expect(compare(log, options([], { from: 9999 }))).rejects.toThrow(/has no event 9999/);
    await expect(compare([], options([]))).rejects.toMatchObject({ code: "nothing_to_compare" });
    await expect(compare(log, { ...options([]), variants: [{}] as never })).rejects.toThrow(/variants\[0\]/);
  });

  it("names what differs by intention: another driver, another prompt", async () => {
    const log = await trip();
    const native = nativeDriver();
    const { variants } = await compare(log, {
      ...options([]),
      variants: [
        { name: "native", provider: scripted(["Dry."], { capabilities: { tools: true } }), driver: native },
        { name: "rude", provider: scripted(["Dry.<end>"]), instructions: "Be rude." },
      ],
    });
    expect(variants.map(({ prefix }) => prefix)).toMatchObject([
      { same: true, form: "native", differs: ["driver", "form", "system", "tools"] },
      { same: true, form: "json", differs: ["system"] },
    ]);
  });

  it("really runs tools where the caller says so, and denies what nobody answered", async () => {
    const ran: string[] = [];
    const asks = weather(ran, "ask");
    const { variants } = await compare(await trip(), {
      ...options([step(call("Oslo"), 1, 1), step("Dry.<end>", 1, 1)]),
      tools: "run",
      agent: (parts) => createAgent({ tools: [asks], ...parts }),
    });
    expect(ran).toEqual([]);
    expect(variants[0]).toMatchObject({ status: "completed", calls: 1, uses: undefined });
    const free = await compare(await trip(), {
      ...options([step(call("Oslo"), 1, 1), step("Dry.<end>", 1, 1)]),
      tools: "run",
      agent: (parts) => createAgent({ tools: [weather(ran)], ...parts }),
    });
    expect(ran).toEqual(["Oslo"]);
    expect(free.variants[0]?.differences.map(({ kind }) => kind)).toEqual(["same", "missing"]);
  });

  it("takes at most twice the steps of the recorded turn", async () => {
    const endless = Array.from({ length: 50 }, (_, index) => call(`City ${index}`));
    const { variants } = await compare(await trip(), options(endless));
    expect(variants[0]).toMatchObject({ status: "stopped", reason: "steps_limit", steps: 6 });
    expect(stepsAtMost(await trip())).toBe(6);
  });

  it("ends with the reason of its signal, and gives a failed run as a result", async () => {
    const leaving = new AbortController();
    const stuck = scripted([{ chunks: "I", hang: true }]);
    const log = await trip();
    const comparing = compare(log, {
      ...options([]),
      variants: [
        {
          name: "stuck",
          provider: {
            ...stuck,
            stream(...args) {
              leaving.abort(new Error("left"));
              return stuck.stream(...args);
            },
          },
        },
      ],
      signal: leaving.signal,
    });
    await expect(comparing).rejects.toThrow("left");
    const { variants } = await compare(log, options([{ error: new Error("down"), chunks: "" }]));
    expect(variants[0]).toMatchObject({ status: "failed", reason: "provider" });
  });

  it("says that the agent does not use the store of its parts", async () => {
    const agent: CompareOptions["agent"] = (parts) => createAgent({ ...parts, store: memoryStore() });
    await expect(compare(await trip(), options([], { agent }))).rejects.toMatchObject({ code: "other_store" });
  });
});

describe("summarize", () => {
  it("gives one row for each variant over a set of conversations", async () => {
    const log = await trip();
    const small = () => options([step(call("Oslo"), 10, 5, 150), step("Oslo is wet.<end>", 10, 6, 200)], { prices });
    const comparisons = [await compare(log, small()), await compare(log, small())];
    expect(
      summarize(comparisons).map(({ name, runs, completed, calls, input, cacheRead, output }) => [
        name,
        runs,
        completed,
        calls.sum,
        calls.median,
        input.sum,
        cacheRead.sum,
        output.median,
      ]),
    ).toEqual([
      ["recorded", 2, 2, 4, 2, 1140, 0, 55],
      ["small", 2, 2, 2, 1, 40, 700, 11],
    ]);
    expect(summarize(comparisons)[1]).toMatchObject({
      samePrefix: 2,
      sameCalls: { sum: 2, median: 1 },
      notRecorded: { sum: 0 },
    });
    expect(summarize([])).toMatchObject([{ name: "recorded", runs: 0 }]);
  });
});
