import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { callAsTask } from "../src/client/tasks/call-as-task.ts";
import { type McpServer, mcpServer } from "../src/server/index.ts";
import { approved, refunds, workingAgent, works } from "./server/tasks.ts";

const ways = [
  {
    way: "a transport",
    async connect(server: McpServer, client: Client) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      server.connect(far);
      await client.connect(near);
    },
  },
  {
    way: "HTTP",
    async connect(server: McpServer, client: Client) {
      const fetch = (url: string | URL, init?: RequestInit) => server.handler(new Request(url, init));
      await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
    },
  },
];

describe.each(ways)("our client with an agent of our server as a task, over $way", ({ connect }) => {
  const call = { server: "agents", name: "ask_agent", timeout: 30_000, total: 60_000 };

  async function connected(server: McpServer, answer: () => object = () => expect.unreachable("nobody is asked")) {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "legacy" }, capabilities: { elicitation: {} } },
    );
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return answer() as never;
    });
    await connect(server, client);
    onTestFinished(() => server.close());
    return { client, asked };
  }

  it("gets the answer, and goes on in the conversation", async () => {
    const { agent } = workingAgent(["It is noon.<end>", "You asked for the time.<end>"]);
    const { client } = await connected(mcpServer({ agent }));
    const { signal } = new AbortController();
    const args = { prompt: "What time is it?" };
    const first = await callAsTask(client, { ...call, arguments: args, signal });
    expect(first.content).toEqual([{ type: "text", text: "It is noon." }]);
    const { conversation } = first.structuredContent as { conversation: string };
    const next = { prompt: "What did I ask?", conversation };
    const second = await callAsTask(client, { ...call, arguments: next, signal });
    expect(second.structuredContent).toMatchObject({ conversation, text: "You asked for the time." });
  });

  it("puts its question to the person", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, asked } = await connected(mcpServer({ agent }), () => approved);
    let task: string | undefined;
    const begun = (id: string) => {
      task = id;
    };
    const { signal } = new AbortController();
    const result = await callAsTask(client, { ...call, arguments: { prompt: "Refund it." }, signal, begun });
    expect(result.structuredContent).toMatchObject({ status: "completed", text: "Refunded." });
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining("May refund run?"),
        _meta: { "io.modelcontextprotocol/related-task": { taskId: task } },
      },
    ]);
    expect(ran).toEqual(["refund"]);
  });

  it("hears what it does, and stops it", async () => {
    const { agent, began, stopped } = workingAgent([works]);
    const { client } = await connected(mcpServer({ agent }));
    const controller = new AbortController();
    const told: string[] = [];
    const progress = (message: string) => {
      told.push(message);
      if (message === "work runs.") controller.abort(new Error("enough"));
    };
    const { signal } = controller;
    const result = callAsTask(client, { ...call, arguments: { prompt: "Work." }, signal, progress });
    await began;
    await expect(result).rejects.toThrow("enough");
    await stopped;
    expect(told).toContain("work runs.");
  });

  it("is told to stop when its time is over", async () => {
    const { agent, stopped } = workingAgent([works]);
    const { client } = await connected(mcpServer({ agent }));
    const { signal } = new AbortController();
    const result = callAsTask(client, { ...call, arguments: { prompt: "Work." }, signal, total: 300 });
    await expect(result).rejects.toMatchObject({ code: "timeout" });
    await stopped;
  });

  it("ends with the connection", async () => {
    const { agent, began, stopped } = workingAgent([works]);
    const server = mcpServer({ agent });
    const { client } = await connected(server);
    const { signal } = new AbortController();
    const result = callAsTask(client, { ...call, arguments: { prompt: "Work." }, signal });
    result.catch(() => {});
    await began;
    await server.close();
    await stopped;
    await client.close();
    await expect(result).rejects.toThrow();
  });
});
