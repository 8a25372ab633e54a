import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";
import { hooked } from "../hooks/stage.ts";
import { block, conversation } from "../support/fixtures.ts";

const act = block(["act", { what: "a" }]);

describe("S29 several runs of one conversation", () => {
  it("begin their counts anew, and the second request has what the first run left", async () => {
    const stage = hooked([act, "One.<end>", "Two.<end>"], []);
    const first = await stage.go();
    const second = await stage.ask("and then?", { conversation });
    expect(first).toMatchObject({ status: "completed", text: "One.", steps: 2 });
    expect(second).toMatchObject({ status: "completed", text: "Two.", steps: 1 });
    expect(second.usage.output).toBeLessThan(first.usage.output);
    const messages = stage.provider.requests.at(-1)?.messages ?? [];
    // The trace of the first run's tool is replayed, because the conversation is what the log holds.
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(messages.at(-1)).toMatchObject({ content: "and then?" });
    const ends = stage.toldOf("run_ended");
    expect(ends).toHaveLength(2);
    expect(new Set(ends.map(({ run }) => run)).size).toBe(2);
  });

  it("go on where the consumer left, with the step that was next", async () => {
    const stage = hooked([act, "Done.<end>"], []);
    for await (const { type } of stage.run("go", { conversation })) {
      if (type === "result") break;
    }
    expect(stage.effects).toEqual(["act a"]);
    expect(await stage.recover()).toMatchObject({ status: "completed", text: "Done." });
    expect(stage.effects).toEqual(["act a"]);
    expect(stage.provider.requests).toHaveLength(2);
    const prompts = (await stage.log()).filter((event) => event.type === "user" && event.origin === undefined);
    expect(prompts).toMatchObject([{ content: "go" }]);
  });
});

describe("S29 a log that was written out and read again", () => {
  const tell = defineTool({
    name: "tell",
    description: "Gives a value.",
    input: { type: "object", properties: {} },
    execute: () => ({ deep: [1, { at: "2026-01-01T00:00:00.123Z", of: null }], text: "ü\u0000😀" }),
  });
  const broken = defineTool({
    name: "broken",
    description: "Fails.",
    input: { type: "object", properties: {} },
    execute: () => {
      throw new Error("out of paper");
    },
  });
  const tools = [tell, broken];
  const clock = () => 1_700_000_000.123;

  it("is the same log, and the next request from it is the same request", async () => {
    const stage = hooked([block(["tell", {}], ["broken", {}]), "Done.<end>", "More.<end>"], [], { tools, clock });
    await stage.go();
    const log = await stage.log();
    const read: typeof log = JSON.parse(JSON.stringify(log));
    expect(read).toEqual(log);
    expect(JSON.stringify(read)).toContain("out of paper");

    const copy = memoryStore();
    await copy.append({ conversation }, read);
    const provider = scripted(["More.<end>"]);
    await createAgent({ provider, store: copy, tools, clock }).ask("more", { conversation });
    await stage.ask("more", { conversation });
    expect(provider.requests[0]).toEqual(stage.provider.requests.at(-1));
  });
});

describe("S29 an empty list of tools", () => {
  it("offers the model no tool, and is not taken for the agent's own list", async () => {
    const stage = hooked(["Hello.<end>"], [{ name: "none", beforeStep: () => ({ tools: [] }) }]);
    await stage.go();
    expect(stage.provider.requests[0]?.system).not.toContain("Acts.");
    const other = hooked(["Hello.<end>"], []);
    await other.go();
    expect(other.provider.requests[0]?.system).toContain("Acts.");
    const without = hooked(["Hello.<end>"], [], { tools: [] });
    await without.go();
    expect(without.provider.requests[0]?.system).not.toContain("Acts.");
  });
});
