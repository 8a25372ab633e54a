import { HttpAgent } from "@ag-ui/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;

beforeAll(async () => {
  demo = await startDemo("--port", "0");
});
afterAll(() => demo.kill());

/** An agent that has said this, in a conversation of its own. */
function saying(content: string): HttpAgent {
  const agent = new HttpAgent({ url: `${demo.origin}/ag-ui` });
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  return agent;
}

const textsOf = ({ messages }: HttpAgent) =>
  messages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : []));

describe.concurrent("the demo through HttpAgent of AG-UI", () => {
  it("greets", async () => {
    const agent = saying("Good morning");
    await agent.runAgent();
    expect(textsOf(agent)).toEqual([expect.stringMatching(/^Hello!/)]);
  });

  it("calls a tool and reports at “use a tool”, with arguments in pieces", async () => {
    const agent = saying("use a tool");
    const pieces: string[] = [];
    await agent.runAgent({}, { onToolCallArgsEvent: ({ event }) => void pieces.push(event.delta) });
    expect(JSON.parse(pieces.join(""))).toEqual({ city: "Kiel" });
    expect(textsOf(agent)).toEqual(["I look at the weather.", "The tool weather says: Kiel: rain, 9 °C"]);
  });

  it.each([
    ["use the tool", true, "The tool send_postcard says: The postcard to Ada is on its way."],
    ["approve this", false, expect.stringMatching(/^The tool send_postcard did not work/)],
  ])("asks a person at “%s”, and reports after the decision %s", async (words, approved, report) => {
    const agent = saying(words);
    await agent.runAgent();
    const [interrupt] = agent.pendingInterrupts;
    expect(agent.pendingInterrupts.length).toBe(1);
    await agent.runAgent({
      resume: [{ interruptId: interrupt?.id ?? "", status: "resolved", payload: { approved } }],
    });
    expect(agent.pendingInterrupts).toEqual([]);
    expect(textsOf(agent).at(-1)).toEqual(report);
  });

  it("calls the client's tool and reports its result", async () => {
    const agent = saying("Add 1 and 2 with the tool.");
    const number = { type: "number" };
    const tools = [
      { name: "add", description: "Add.", parameters: { type: "object", properties: { a: number, b: number } } },
    ];
    await agent.runAgent({ tools });
    const calls = agent.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    expect(calls.map(({ function: called }) => [called.name, JSON.parse(called.arguments)])).toEqual([
      ["add", { a: 1, b: 2 }],
    ]);
    agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: calls[0]?.id ?? "", content: "3" });
    await agent.runAgent({ tools });
    expect(textsOf(agent)).toEqual(["The tool add says: 3"]);
  });

  it("writes piece by piece at “slow please”", async () => {
    const agent = saying("slow please");
    let pieces = 0;
    await agent.runAgent({}, { onTextMessageContentEvent: () => void pieces++ });
    expect(textsOf(agent)).toEqual([expect.stringMatching(/^1, 2, 3, .*49, 50\.$/)]);
    expect(pieces).toBeGreaterThan(5);
  });
});
