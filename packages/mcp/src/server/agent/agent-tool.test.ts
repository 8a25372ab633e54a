import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it, vi } from "vitest";
import { calledInRounds, calledInSession, type Person, revisions } from "../../../test/server/person.ts";
import { answerOf, call, rawClient } from "../../../test/server/raw-client.ts";
import { mcpServer } from "../index.ts";

const keyRing = createKeyRing(["a secret of at least 32 bytes, kept elsewhere"]);
const refunds = '<execute>[{"name":"refund","args":{"order":7}}]</execute>';

function agentOf(answers: readonly string[]) {
  const ran: unknown[] = [];
  const refund = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input: { type: "object", properties: { order: { type: "integer" } } },
    approval: "ask",
    execute(args) {
      ran.push(args);
      return "refunded";
    },
  });
  const book = defineTool({
    name: "book",
    description: "Books a table.",
    input: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
    asks: true,
    execute: async (_, { ask }) => `for ${await ask({ message: "For whom?" })}`,
  });
  const provider = scripted([...answers]);
  const agent = createAgent({ provider, tools: [refund, book], store: memoryStore(), keyRing });
  return { agent, ran };
}

const ask = (args: object) => call("ask_agent", args);
const approve: Person = () => ({ action: "accept", content: { decision: "approve" } });
const nobody: Person = () => expect.unreachable("nobody is asked");

describe.each(revisions)("an agent as a tool of a client of $revision", ({ called }) => {
  it("answers a prompt, and goes on in the conversation that it names", async () => {
    const { agent } = agentOf(["It is noon.<end>", "You asked for the time.<end>"]);
    const client = rawClient(mcpServer({ agent }));
    const { result } = await called(client, ask({ prompt: "What time is it?" }), nobody);
    expect(result.content).toEqual([{ type: "text", text: "It is noon." }]);
    const { conversation } = result.structuredContent;
    expect(result.structuredContent).toEqual({ conversation, status: "completed", text: "It is noon." });
    const next = await called(client, ask({ prompt: "What did I ask?", conversation }), nobody);
    expect(next.result.structuredContent).toMatchObject({ conversation, text: "You asked for the time." });
  });

  it("asks the person about a call of the agent, which runs once", async () => {
    const { agent, ran } = agentOf([refunds, "Refunded.<end>"]);
    const client = rawClient(mcpServer({ agent }));
    const messages: unknown[] = [];
    const { result } = await called(client, ask({ prompt: "Refund it." }), (asked) => {
      messages.push(asked.params.message);
      return approve(asked);
    });
    expect(messages).toEqual(['May refund run?\n\n{\n  "order": 7\n}']);
    expect(result.structuredContent).toMatchObject({ status: "completed", text: "Refunded." });
    expect(ran).toEqual([{ order: 7 }]);
  });

  it("tells the agent the reason of a refusal", async () => {
    const { agent, ran } = agentOf([refunds, "I may not.<end>"]);
    const client = rawClient(mcpServer({ agent }));
    const { result } = await called(client, ask({ prompt: "Refund it." }), () => ({
      action: "accept",
      content: { decision: "deny", reason: "too late" },
    }));
    expect(result.structuredContent).toMatchObject({ status: "completed", text: "I may not." });
    expect(ran).toEqual([]);
  });

  it("puts the questions of its tools to the person", async () => {
    const { agent } = agentOf(['<execute>[{"name":"book","args":{}}]</execute>', "Booked.<end>"]);
    const client = rawClient(mcpServer({ agent }));
    const { result } = await called(client, ask({ prompt: "Book." }), ({ params }) => {
      expect(params.message).toBe("For whom?");
      return { action: "accept", content: { answer: "Ada" } };
    });
    expect(result.structuredContent).toMatchObject({ status: "completed", text: "Booked." });
  });

  it("says how to go on where the client cannot ask anybody", async () => {
    const { agent, ran } = agentOf([refunds, "Refunded.<end>"]);
    const client = rawClient(mcpServer({ agent }));
    const { result } = await called(client, ask({ prompt: "Refund it." }), nobody, {} as never);
    const { conversation } = result.structuredContent;
    expect(result.structuredContent).toMatchObject({ status: "waiting", waitsFor: 1 });
    expect(result.content[0].text).toContain("without a prompt to go on");
    expect(ran).toEqual([]);
    const later = await called(client, ask({ conversation }), approve);
    expect(later.result.structuredContent).toMatchObject({ status: "completed", text: "Refunded." });
    expect(ran).toEqual([{ order: 7 }]);
  });

  it("refuses a conversation that its caller has not begun", async () => {
    const { agent } = agentOf(["One.<end>"]);
    const authenticate = ({ headers }: Request) => ({ user: headers.get("authorization") ?? "" });
    const server = mcpServer({ agent, authenticate });
    const ada = rawClient(server, { authorization: "ada" });
    const { result } = await called(ada, ask({ prompt: "Hello." }), nobody);
    const { conversation } = result.structuredContent;
    const eve = await called(
      rawClient(server, { authorization: "eve" }),
      ask({ prompt: "Go on.", conversation }),
      nobody,
    );
    expect(eve.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("You have no conversation") }],
    });
  });

  it("wants a prompt, or a conversation", async () => {
    const { agent } = agentOf([]);
    const { result } = await called(rawClient(mcpServer({ agent })), ask({}), nobody);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Give a prompt") }] });
  });

  it("says that the agent failed, and how to go on", async () => {
    const { agent } = agentOf([]);
    const { result } = await called(rawClient(mcpServer({ agent })), ask({ prompt: "Hello." }), nobody);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("The agent failed") }] });
  });
});

describe("an agent as a tool", () => {
  it("tells its steps and calls as progress", async () => {
    const { agent } = agentOf([refunds, "Refunded.<end>"]);
    const execution = { prompt: "Refund it." };
    const message = call("ask_agent", execution);
    Object.assign(message.params as object, { _meta: { progressToken: "p" } });
    const { notifications } = await calledInSession(rawClient(mcpServer({ agent })), message, approve);
    const messages = notifications.map(({ params }) => (params as { message: string }).message);
    expect(messages).toContain("Step 1");
    expect(messages).toContain("refund ended: success.");
  });

  it("is cancelled with its call, and stays so until it is called again", async () => {
    const began = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const slow = defineTool({
      name: "slow",
      description: "Works until it is told to stop.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      execute: (_, { signal }) => {
        began.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const provider = scripted(['<execute>[{"name":"slow","args":{}}]</execute>']);
    const agent = createAgent({ provider, tools: [slow], store: memoryStore(), keyRing });
    agent.on("run_ended", ({ status, stop }) => ended.resolve([status, stop?.reason]));
    const client = rawClient(mcpServer({ agent }));
    const here = await client.session();
    await client.post(call("ask_agent", { prompt: "Work." }, 3), here);
    await began.promise;
    await client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } }, here);
    expect(await ended.promise).toEqual(["stopped", "user_requested"]);
  });

  it("says how to go on where nobody answers in time", async () => {
    const { agent, ran } = agentOf([refunds]);
    const client = rawClient(mcpServer({ agent, limits: { answer: 20 } }));
    const here = await client.session({ elicitation: {} });
    const { result } = await answerOf(await client.post(ask({ prompt: "Refund it." }), here));
    expect(result).toMatchObject({ structuredContent: { status: "waiting", waitsFor: 1 } });
    expect(result.content[0].text).toContain("without a prompt to go on");
    expect(ran).toEqual([]);
  });

  it("is interrupted at its limit, and goes on when it is called again", async () => {
    const hangs = vi.fn();
    const store = memoryStore();
    const slow = defineTool({
      name: "slow",
      description: "Takes long the first time.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      execute: (_, { signal }) => {
        hangs();
        if (hangs.mock.calls.length > 1) return "done";
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const provider = scripted(['<execute>[{"name":"slow","args":{}}]</execute>', "Done.<end>"]);
    const agent = createAgent({ provider, tools: [slow], store, keyRing });
    const served = (timeout: number) => rawClient(mcpServer({ agent: { agent, name: "helper", timeout } }));
    // Long enough for the call to begin on a busy machine.
    const { result } = await calledInRounds(served(1_000), call("helper", { prompt: "Work." }), nobody);
    expect(result.structuredContent).toMatchObject({ status: "stopped", reason: "time_limit" });
    const { conversation } = result.structuredContent;
    const client = served(60_000);
    const later = await calledInRounds(client, call("helper", { conversation }), nobody);
    expect(later.result.structuredContent).toMatchObject({ status: "completed", text: "Done." });
  });
});
