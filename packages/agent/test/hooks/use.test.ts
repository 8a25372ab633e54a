import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type Capability, createAgent } from "../../src/index.ts";
import { toolSearch } from "../../src/tool-search.ts";
import { block, collect, conversation, echo } from "../support/fixtures.ts";

const clockTool = defineTool({
  name: "clock",
  description: "Tell the time.",
  input: { type: "object", properties: {} },
  execute: () => "noon",
});

const clock: Capability<typeof clockTool> = {
  name: "clock",
  tools: [clockTool],
  hooks: [{ name: "counting", beforeStep: () => ({ patch: ({ steps = 0 }) => ({ steps: Number(steps) + 1 }) }) }],
  instructions: "Know the time.",
};

describe("agent.use", () => {
  it("makes an agent with the tools, hooks and instructions of a capability", async () => {
    const provider = scripted([block(["clock", {}]), "It is noon.<end>"]);
    const agent = createAgent({ provider, instructions: "Be brief.", tools: [echo] }).use(clock);
    expect(await agent.ask("go")).toMatchObject({ status: "completed", text: "It is noon.", metadata: { steps: 2 } });
    const [request] = provider.requests;
    expect(request?.system).toMatch(/^Be brief\.\n\nKnow the time\.\n\n/);
    expect(request?.system).toContain("- echo:");
    expect(request?.system).toContain("- clock:");
  });

  it("leaves the agent as it is", async () => {
    const provider = scripted(["Hello.<end>"]);
    const agent = createAgent({ provider });
    agent.use(clock);
    expect((await agent.ask("go")).metadata).toBeUndefined();
    expect(provider.requests[0]?.system).not.toContain("clock");
  });

  it("shares the conversations, the signatures and the listeners of the agent", async () => {
    const heard: string[] = [];
    const provider = scripted(["Hello.<end>", "Again.<end>", "Third.<end>"]);
    const agent = createAgent({ provider });
    const other = agent.use(clock);
    agent.on("run_ended", () => void heard.push("of the agent"));
    other.on("run_ended", () => void heard.push("of the other"));
    await agent.ask("go", { conversation });
    await other.ask("on", { conversation });
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("Hello.");
    expect(heard).toEqual(["of the agent", "of the other", "of the agent", "of the other"]);
    await other.send({ conversation }, { kind: "prompt", content: "more" });
    expect((await agent.recover({ conversation }).result).text).toBe("Third.");
  });

  it("knows the types of the tools of both", async () => {
    const agent = createAgent({ provider: scripted([block(["clock", {}]), "Noon.<end>"]), tools: [echo] }).use(clock);
    const names = (await collect(agent.run("go", { events: "all" }))).flatMap((event) => {
      if (event.type !== "tool_started") return [];
      const name: "echo" | "clock" = event.name;
      return [name];
    });
    expect(names).toEqual(["clock"]);
  });

  it("adds the hooks of several capabilities in the order in which they came", async () => {
    const saying = (word: string): Capability => ({
      name: word,
      hooks: [{ name: word, beforeRun: () => ({ patch: ({ said = "" }) => ({ said: `${said}${word} ` }) }) }],
    });
    const agent = createAgent({ provider: scripted(["Hello.<end>"]) })
      .use(saying("one"))
      .use(saying("two"));
    expect((await agent.ask("go")).metadata).toEqual({ said: "one two " });
  });

  it("refuses a capability that the agent has", () => {
    const agent = createAgent({ provider: scripted([]) }).use({ name: "clock" });
    expect(() => agent.use({ name: "clock" })).toThrow('The agent has the capability "clock" already.');
    expect(() => agent.use({ name: "other" })).not.toThrow();
  });

  it("refuses a tool of a name that the agent has", () => {
    const agent = createAgent({ provider: scripted([]), tools: [echo] });
    expect(() => agent.use({ name: "echoes", tools: [echo] })).toThrow(
      'The capability "echoes" brings a tool named echo, and the agent has one of that name. Rename one.',
    );
  });

  const wrong: [unknown, string][] = [
    [undefined, "use takes options, not undefined"],
    [{}, "use needs `name`"],
    [{ name: "" }, "use: `name` is an empty string"],
    [{ name: "c", hook: [] }, "use has no option `hook` (given: an array). Did you mean `hooks`?"],
    [{ name: "c", tools: {} }, "`tools` is an object; give an array of tools."],
    [{ name: "c", instructions: 1 }, "`instructions` is 1; give a string."],
    [{ name: "c", hooks: [{ name: "h", onStopp() {} }] }, '`hooks[0]` ("h") has no point `onStopp`'],
  ];
  it.each(wrong)("refuses %o", (capability, message) => {
    const agent = createAgent({ provider: scripted([]) });
    expect(() => agent.use(capability as never)).toThrow(message);
  });

  it("keeps whether questions wait, which the given store and key ring decide", async () => {
    const asking = defineTool({
      name: "risky",
      description: "d",
      input: { type: "object" },
      approval: "ask",
      execute: () => 1,
    });
    const options = { store: memoryStore(), keyRing: createKeyRing(["k".repeat(32)]) };
    const agent = createAgent({ provider: scripted([block(["risky", {}])]), ...options }).use({
      name: "r",
      tools: [asking],
    });
    expect((await agent.ask("go")).status).toBe("waiting");
  });

  it("lets a search find the tools of the capability", async () => {
    const provider = scripted([block(["find_tools", { query: "tell the time" }]), block(["clock", {}]), "Noon.<end>"]);
    const agent = createAgent({ provider, tools: [echo], toolSearch: toolSearch({ above: 1 }) }).use(clock);
    expect(await agent.ask("go")).toMatchObject({ text: "Noon.", toolErrors: 0 });
  });
});
