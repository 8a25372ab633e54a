import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type Rpc, rawClient } from "../../../test/server/raw-client.ts";
import { approved, noSuchTask, refunds, workingAgent, works } from "../../../test/server/tasks.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { type McpOffer, mcpHost, mcpServer } from "../index.ts";

const extensions = { "io.modelcontextprotocol/tasks": {} };

/** A client of 2026-07-28 that declares the extension, unless it says otherwise. */
function extended(offer: McpOffer, headers: Record<string, string> = {}) {
  const server = mcpServer(offer);
  const client = rawClient(server, headers);
  const ask = (method: string, params: Rpc, capabilities: object = { elicitation: {}, extensions }) => {
    const named = typeof params.taskId === "string" ? { "mcp-name": params.taskId } : {};
    return client.modern(method, params, capabilities, named);
  };
  return {
    server,
    ask,
    call: (args: object, name = "ask_agent") => ask("tools/call", { name, arguments: args }),
    get: (taskId: string) => ask("tasks/get", { taskId }),
    async until(taskId: string, status: string) {
      await expect.poll(async () => (await ask("tasks/get", { taskId })).result?.status).toBe(status);
      return (await ask("tasks/get", { taskId })).result;
    },
  };
}

describe("a task of 2026-07-28", () => {
  it("is what a call becomes, and has its result in its state", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { call, until } = extended({ agent });
    const { result } = await call({ prompt: "What time is it?" });
    const { taskId } = result;
    expect(result).toMatchObject({
      resultType: "task",
      taskId: expect.any(String),
      status: "working",
      ttlMs: 3_600_000,
      pollIntervalMs: 200,
    });
    expect(Object.keys(result)).not.toEqual(expect.arrayContaining(["task", "content", "ttl"]));
    const state = await until(taskId, "completed");
    expect(state).toMatchObject({
      resultType: "complete",
      taskId,
      result: { content: [{ type: "text", text: "It is noon." }], structuredContent: { status: "completed" } },
    });
    expect(state.result._meta).toBeUndefined();
  });

  it("is none for a client that does not declare the extension, nor for another tool", async () => {
    const { add } = probeTools();
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { ask, call } = extended({ agent, tools: [add] });
    const plain = await ask("tools/call", { name: "ask_agent", arguments: { prompt: "What time is it?" } }, {});
    expect(plain.result).toMatchObject({ resultType: "complete", content: [{ text: "It is noon." }] });
    expect((await call({ a: 1, b: 2 }, "add")).result).toMatchObject({ content: [{ text: "3" }] });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await ask(method, { taskId: "t" }, {});
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions } } });
    }
  });

  it.each(["tasks/list", "tasks/result"])("has no %s", async (method) => {
    const { agent } = workingAgent([]);
    expect((await extended({ agent }).ask(method, { taskId: "t" })).error).toMatchObject({ code: -32601 });
  });

  it("asks in its state, and goes on with the answer", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { call, ask, until } = extended({ agent });
    const { taskId } = (await call({ prompt: "Refund it." })).result;
    const { inputRequests } = await until(taskId, "input_required");
    const [key = ""] = Object.keys(inputRequests);
    expect(inputRequests[key]).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
    const stray = await ask("tasks/update", { taskId, inputResponses: { "input-0": approved, __proto__: approved } });
    expect(stray.result).toMatchObject({ resultType: "complete" });
    expect((await until(taskId, "input_required")).inputRequests).toEqual(inputRequests);
    await ask("tasks/update", { taskId, inputResponses: { [key]: approved } });
    expect((await until(taskId, "completed")).result).toMatchObject({ structuredContent: { text: "Refunded." } });
    await ask("tasks/update", { taskId, inputResponses: { [key]: approved } });
    expect(ran).toEqual(["refund"]);
  });

  it("asks two things at once, takes answers one by one, and asks again under another key if one does not fit", async () => {
    const pair = defineTool({
      name: "pair",
      description: "Asks for two names.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      async execute(_, context) {
        const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
        const host = mcpHost(context);
        const names = await Promise.all(["first", "second"].map((key) => host?.elicit(key, { message: key, schema })));
        return names.map((one) => one?.name).join(" and ");
      },
    });
    const { call, ask, get, until } = extended({ tools: [pair], tasks: ["pair"] });
    const { taskId } = (await call({}, "pair")).result;
    const asked = async () => {
      const { inputRequests } = (await get(taskId)).result;
      return Object.entries(inputRequests as Record<string, { params: { message: string } }>);
    };
    await until(taskId, "input_required");
    const name = (value: unknown) => ({ action: "accept", content: { name: value } });
    expect(await asked()).toHaveLength(2);
    await ask("tasks/update", { taskId, inputResponses: { "input-1": name("Ada") } });
    expect(await asked()).toMatchObject([["input-2", { params: { message: "second" } }]]);
    await ask("tasks/update", { taskId, inputResponses: { "input-2": name(5) } });
    await expect.poll(asked).toMatchObject([["input-3", { params: { message: "second" } }]]);
    await ask("tasks/update", { taskId, inputResponses: { "input-3": name("Bob") } });
    expect((await until(taskId, "completed")).result.content).toEqual([{ type: "text", text: "Ada and Bob" }]);
  });

  it("is cancelled any number of times, and its run stops", async () => {
    const { agent, began, stopped } = workingAgent([works]);
    const { call, ask, get } = extended({ agent });
    const { taskId } = (await call({ prompt: "Work." })).result;
    await began;
    for (let time = 0; time < 2; time++) {
      const { result } = await ask("tasks/cancel", { taskId });
      expect(result.resultType).toBe("complete");
      expect(result.status).toBeUndefined();
    }
    await stopped;
    const { result } = await get(taskId);
    expect(result).toMatchObject({ status: "cancelled" });
    expect([result.result, result.error]).toEqual([undefined, undefined]);
  });

  it("completes with a result that is an error, and fails with an error of the protocol", async () => {
    const { add } = probeTools();
    const { agent } = workingAgent([]);
    const { call, until } = extended({ agent, tools: [add], tasks: ["ask_agent", "nothing"] });
    const failed = (await call({ prompt: "Hello." })).result.taskId;
    expect((await until(failed, "completed")).result).toMatchObject({ isError: true });
    const unknown = (await call({}, "nothing")).result.taskId;
    const state = await until(unknown, "failed");
    expect(state.error).toMatchObject({ code: -32602, message: expect.stringContaining("nothing") });
    expect(state.result).toBeUndefined();
  });

  it("belongs to its user: for another one it does not exist", async () => {
    const { agent, began } = workingAgent([works]);
    const authenticate = ({ headers }: Request) => ({ user: headers.get("authorization") ?? "" });
    const { server, call, get } = extended({ agent, authenticate }, { authorization: "ada" });
    const { taskId } = (await call({ prompt: "Work." })).result;
    await began;
    const eve = rawClient(server, { authorization: "eve" });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await eve.modern(method, { taskId }, { extensions }, { "mcp-name": taskId });
      expect(error).toEqual(noSuchTask);
    }
    expect((await get(taskId)).result.status).toBe("working");
    await server.close();
  });

  it("is none where there is no room: the call is answered with its result", async () => {
    const { agent } = workingAgent(["One.<end>", "Two.<end>"]);
    const { call } = extended({ agent, limits: { tasksPerUser: 1 } });
    expect((await call({ prompt: "Go." })).result.resultType).toBe("task");
    expect((await call({ prompt: "Go." })).result).toMatchObject({ resultType: "complete" });
  });
});
