import { describe, expect, it } from "vitest";
import { answerOf, initialize, type Rpc, rawClient, request } from "../../../test/server/raw-client.ts";
import { tasksOf, workingAgent } from "../../../test/server/tasks.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { type McpOffer, mcpServer } from "../index.ts";

describe("the capability of tasks", () => {
  const revision = async (offer: McpOffer, protocolVersion: string) => {
    const { add } = probeTools();
    const client = rawClient(mcpServer({ tools: [add], ...offer }));
    const response = await client.post(request("initialize", { ...initialize(), protocolVersion }, 0));
    const { result } = await answerOf(response);
    const id = response.headers.get("mcp-session-id");
    const here: Record<string, string> = id === null ? {} : { "mcp-session-id": id };
    const listed = await answerOf(await client.post(request("tools/list"), here));
    const support = Object.fromEntries(
      listed.result.tools.map((tool: Rpc) => [tool.name, (tool.execution as Rpc | undefined)?.taskSupport]),
    );
    return { declared: result.capabilities.tasks, support, ...tasksOf(client, here), client, here };
  };
  const { agent } = workingAgent([]);

  it("is declared with 2025-11-25, and the tool of the agent may run as a task", async () => {
    const { declared, support } = await revision({ agent }, "2025-11-25");
    expect(declared).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    expect(support).toEqual({ ask_agent: "optional", add: undefined });
  });

  it("names other tools, if the host does", async () => {
    const { support } = await revision({ agent, tasks: ["add"] }, "2025-11-25");
    expect(support).toEqual({ ask_agent: undefined, add: "optional" });
  });

  it.each<[string, McpOffer, string]>([
    ["in a revision without tasks", { agent }, "2025-06-18"],
    ["without a session", { agent, sessions: false }, "2025-11-25"],
    ["without an agent", {}, "2025-11-25"],
    ["where the host wants none", { agent, tasks: [] }, "2025-11-25"],
  ])("is not declared %s: a call is answered as usual, and tasks do not exist", async (_, offer, version) => {
    const { declared, support, ask, client, here } = await revision(offer, version);
    expect(declared).toBeUndefined();
    expect(Object.values(support)).not.toContain("optional");
    for (const method of ["get", "result", "list", "cancel"]) {
      expect((await ask(`tasks/${method}`, { taskId: "t" })).error).toMatchObject({ code: -32601 });
    }
    const params = { name: "add", arguments: { a: 1, b: 2 }, task: {} };
    const { result } = await answerOf(await client.post(request("tools/call", params), here));
    expect(result).toMatchObject({ content: [{ text: "3" }] });
  });

  it("is the extension in 2026-07-28", async () => {
    const { result } = await rawClient(mcpServer({ agent })).modern("server/discover");
    expect(result.capabilities).toMatchObject({ extensions: { "io.modelcontextprotocol/tasks": {} } });
    expect(result.capabilities.tasks).toBeUndefined();
  });
});
