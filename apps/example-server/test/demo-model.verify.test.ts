import { createAgent, protocolDriver } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { generate } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { demoModel } from "../src/demo/demo-model.ts";
import { demoTools } from "../src/demo/demo-tools.ts";

const drivers = [
  ["native", () => nativeDriver()],
  ["protocol", () => protocolDriver()],
] as const;

describe.each(drivers)("the model of the demo, with the %s driver", (_, driver) => {
  function agentOf() {
    const store = memoryStore();
    const keyRing = createKeyRing(["a secret of at least 32 characters"]);
    return createAgent({ provider: demoModel({ pause: 0 }), store, keyRing, driver: driver(), tools: demoTools });
  }

  it("greets", async () => {
    expect(await agentOf().ask("Good morning")).toMatchObject({
      status: "completed",
      text: expect.stringMatching(/^Hello!/),
    });
  });

  it("calls a tool and reports", async () => {
    const { status, text } = await agentOf().ask("Please use a tool.");
    expect([status, text]).toEqual(["completed", "The tool weather says: Kiel: rain, 9 °C"]);
  });

  it.each(["Use the tool.", "approve this"])("asks a person at “%s”, and reports after the decision", async (words) => {
    const agent = agentOf();
    for (const [kind, report] of [
      ["approve", "The tool send_postcard says: The postcard to Ada is on its way."],
      ["deny", expect.stringMatching(/^The tool send_postcard did not work: .*refused/)],
    ] as const) {
      const { status, waiting = [] } = await agent.ask(words, { conversation: kind });
      expect([status, waiting.length]).toEqual(["waiting", 1]);
      await agent.send({ conversation: kind }, { kind, question: waiting[0]?.question ?? "" });
      expect((await agent.recover({ conversation: kind }).result).text).toEqual(report);
    }
  });

  it("shows the arguments of a call in pieces", async () => {
    const store = memoryStore();
    const here = { conversation: "live" };
    const ending = new AbortController();
    const shown: string[] = [];
    const following = (async () => {
      for await (const pieces of store.live.follow(here, { signal: ending.signal }))
        for (const piece of pieces) if (piece.type === "args") shown.push(piece.text);
    })();
    const agent = createAgent({ provider: demoModel(), store, driver: driver(), tools: demoTools, warn: () => {} });
    await agent.ask("use a tool", here);
    ending.abort();
    await following;
    const whole = '{"city":"Kiel"}';
    expect(shown[0]?.length).toBeLessThan(whole.length);
    // The last pieces may be overtaken by the stored call.
    expect(whole.startsWith(shown.join(""))).toBe(true);
  });

  it("decides anew in the next turn", async () => {
    const agent = agentOf();
    const here = { conversation: "turns" };
    await agent.ask("use a tool", here);
    expect((await agent.ask("Hello again", here)).text).toMatch(/^Hello!/);
  });
});

describe("the model of the demo", () => {
  const add = {
    name: "add",
    description: "Add.",
    parameters: { type: "object", properties: { left: { type: "number" }, right: { type: "number" } } },
  } as const;
  const messages = [{ role: "user", content: "Add 1 and 2 with the tool." }] as const;

  it("calls the client's tool with the numbers under the names of its schema, in order", async () => {
    const events = await generate(demoModel(), { system: "", messages, tools: [add] });
    expect(events.find(({ type }) => type === "tool_call")).toMatchObject({
      name: "add",
      arguments: '{"left":1,"right":2}',
    });
  });

  it("finds the tool in the prompt of the text protocol, too", async () => {
    const system = `## Tools\n- add: Add.\n  parameters: ${JSON.stringify(add.parameters)}\n`;
    const events = await generate(demoModel(), { system, messages });
    const text = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
    expect(text).toBe('<execute>[{"name":"add","args":{"left":1,"right":2}}]</execute>');
  });

  it("says what is missing where no tool adds", async () => {
    const events = await generate(demoModel(), { system: "", messages, tools: [] });
    expect(JSON.stringify(events)).toContain("send one");
  });

  it("writes fifty pieces at “slow please”, and ends when the request is aborted", async () => {
    const leaving = new AbortController();
    let pieces = 0;
    const request = { system: "", messages: [{ role: "user", content: "slow please" }] } as const;
    const types: string[] = [];
    for await (const event of demoModel().stream(request, leaving)) {
      types.push(event.type === "finish" ? event.reason : event.type);
      if (++pieces === 3) leaving.abort();
    }
    expect(types).toEqual(["text", "text", "text", "aborted"]);
  });
});
