import { describe, expect, it } from "vitest";
import { answerOf, call, initialize, type Rpc, rawClient, request, streamed } from "../../../test/server/raw-client.ts";
import { noSuchTask, refunds, taskCall, tasksOf, workingAgent, works } from "../../../test/server/tasks.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { type McpOffer, mcpServer } from "../index.ts";

const elicits = { elicitation: {} };
const approved = { action: "accept", content: { decision: "approve" } };

async function session(offer: McpOffer, capabilities: object = elicits) {
  const server = mcpServer(offer);
  const client = rawClient(server);
  const here = await client.session(capabilities);
  return { server, client, here, ...tasksOf(client, here) };
}

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

describe("a task of 2025-11-25", () => {
  it("is answered at once, and its result is that of the call", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { client, here, result, until } = await session({ agent });
    const created = await answerOf(await client.post(taskCall({ prompt: "What time is it?" }, { ttl: 5000 }), here));
    expect(Object.keys(created.result).sort()).toEqual(["_meta", "task"]);
    const { taskId } = created.result.task;
    expect(created.result).toEqual({
      task: {
        taskId,
        status: "working",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lastUpdatedAt: expect.any(String),
        ttl: 5000,
        pollInterval: 200,
      },
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
    });
    const state = await until(taskId, "completed");
    const answer = await result(taskId);
    expect(answer.result).toMatchObject({
      content: [{ type: "text", text: "It is noon." }],
      structuredContent: { status: "completed", conversation: state._meta["cogency/conversation"] },
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
    });
    expect((await result(taskId)).result).toEqual(answer.result);
  });

  it("says what its agent does, and names the conversation while it works", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, begin, get } = await session({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const { result } = await get(id);
    expect(result).toMatchObject({ status: "working", statusMessage: "work runs." });
    expect(result._meta["cogency/conversation"]).toMatch(/^mcp-/);
    await server.close();
  });

  it("fails where the call does, and says why", async () => {
    const { agent } = workingAgent([]);
    const { begin, until, result } = await session({ agent });
    const id = await begin({ prompt: "Hello." });
    expect((await until(id, "failed")).statusMessage).toContain("The agent failed");
    expect((await result(id)).result).toMatchObject({ isError: true });
  });

  it("is no task for a tool that does not run as one", async () => {
    const { add, ran } = probeTools();
    const { agent } = workingAgent([]);
    const { ask } = await session({ agent, tools: [add] });
    const { error } = await ask("tools/call", { name: "add", arguments: { a: 1, b: 2 }, task: {} });
    expect(error).toEqual({ code: -32601, message: "add does not run as a task. Call it without `task`." });
    expect(ran).toEqual([]);
  });

  it.each([
    ["a time below 0", { ttl: -5 }],
    ["no time", { ttl: 0 }],
    ["a text as time", { ttl: "5" }],
    ["a list", []],
    ["a flag", true],
  ])("does not begin with %s", async (_, task) => {
    const { agent } = workingAgent([]);
    const { ask } = await session({ agent });
    const params = { name: "ask_agent", arguments: { prompt: "Hello." }, task };
    expect((await ask("tools/call", params)).error).toMatchObject({ code: expect.any(Number) });
    expect((await ask("tasks/list")).result.tasks).toEqual([]);
  });

  it("asks the person by the request that waits for its result, and tells of its states", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until } = await session({ agent });
    const listening = streamed(await client.send("GET", undefined, here));
    const taskId = await begin({ prompt: "Refund it." });
    await until(taskId, "input_required");
    expect((await listening.next()).value).toMatchObject({
      method: "notifications/tasks/status",
      params: { taskId, status: "input_required" },
    });
    const methods: unknown[] = [];
    for await (const got of streamed(await client.post(request("tasks/result", { taskId }, 9), here))) {
      if (got.method !== undefined) methods.push(got.method);
      if (got.method === "elicitation/create") {
        expect(got.params).toMatchObject({
          message: expect.stringContaining("May refund run?"),
          _meta: { "io.modelcontextprotocol/related-task": { taskId } },
        });
        await client.post({ jsonrpc: "2.0", id: got.id, result: approved }, here);
      }
      if (got.id === 9) expect(got.result).toMatchObject({ structuredContent: { text: "Refunded." } });
    }
    expect(methods).toEqual(["elicitation/create", "notifications/tasks/status", "notifications/tasks/status"]);
    expect(ran).toEqual(["refund"]);
    await listening.return(undefined);
  });

  it("asks again by a newer request for its result, and withdraws the older question", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until } = await session({ agent });
    const taskId = await begin({ prompt: "Refund it." });
    await until(taskId, "input_required");
    const waiting = async (id: number) => {
      const stream = streamed(await client.post(request("tasks/result", { taskId }, id), here));
      for (;;) {
        const { value, done } = await stream.next();
        if (done) return expect.unreachable("nothing was asked");
        if (value.method === "elicitation/create") return { stream, question: value };
      }
    };
    const first = await waiting(7);
    const second = await waiting(8);
    await client.post({ jsonrpc: "2.0", id: first.question.id, result: approved }, here);
    expect(ran).toEqual([]);
    await client.post({ jsonrpc: "2.0", id: second.question.id, result: approved }, here);
    await until(taskId, "completed");
    const told: unknown[] = [];
    for await (const got of first.stream) told.push(got.method ?? got.id);
    expect(told).toEqual(["notifications/cancelled", 7]);
    expect(ran).toEqual(["refund"]);
  });

  it("ends with a result that says how to go on, where nobody answers in time", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until, result } = await session({ agent, limits: { answer: 20 } });
    const taskId = await begin({ prompt: "Refund it." });
    await until(taskId, "completed");
    const { structuredContent, content } = (await result(taskId)).result;
    expect(structuredContent).toMatchObject({ status: "waiting", waitsFor: 1 });
    expect(content[0].text).toContain("without a prompt to go on");
    expect(ran).toEqual([]);
    const { conversation } = structuredContent;
    for await (const got of streamed(await client.post(call("ask_agent", { conversation }, 5), here))) {
      if (got.method === "elicitation/create") {
        await client.post({ jsonrpc: "2.0", id: got.id, result: approved }, here);
      }
      if (got.id === 5) expect(got.result).toMatchObject({ structuredContent: { text: "Refunded." } });
    }
  });

  it("tells progress with the token of its call, and to which task it belongs", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { client, here, until } = await session({ agent });
    const listening = streamed(await client.send("GET", undefined, here));
    const { params, ...message } = taskCall({ prompt: "What time is it?" });
    const withToken = { ...message, params: { ...(params as object), _meta: { progressToken: "p" } } };
    const { taskId } = (await answerOf(await client.post(withToken, here))).result.task;
    await until(taskId, "completed");
    expect((await listening.next()).value).toMatchObject({
      method: "notifications/progress",
      params: {
        progressToken: "p",
        message: "Step 1",
        _meta: { "io.modelcontextprotocol/related-task": { taskId } },
      },
    });
    await listening.return(undefined);
  });

  it("is cancelled once: its run stops, and it has no result", async () => {
    const { agent, began, stopped } = workingAgent([works]);
    const { begin, cancel, get, result } = await session({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const waiting = result(id);
    expect((await cancel(id)).result).toMatchObject({ taskId: id, status: "cancelled" });
    await stopped;
    expect((await waiting).error).toMatchObject({ message: "The task was cancelled, so it has no result." });
    expect((await cancel(id)).error).toEqual({ code: -32602, message: "The task is over: cancelled." });
    expect((await get(id)).result).toMatchObject({ status: "cancelled" });
  });

  it("is forgotten when its time is over: its run stops, and another call goes on in the conversation", async () => {
    const { agent, stopped } = workingAgent([works, "Worked.<end>"]);
    const { client, here, begin, get, result } = await session({ agent, limits: { taskTtl: 300 } });
    const id = await begin({ prompt: "Work." }, { ttl: 60_000 });
    const { error } = await result(id);
    expect(error.message).toMatch(/^The time of the task is over. Call the tool with the conversation "mcp-/);
    await stopped;
    expect((await get(id)).error).toEqual(noSuchTask);
    const conversation = /"(mcp-[^"]+)"/.exec(error.message)?.[1];
    const later = await answerOf(await client.post(call("ask_agent", { conversation }, 2), here));
    expect(later.result).toMatchObject({ structuredContent: { conversation, text: "Worked." } });
  });

  it("ends with its session, and another session goes on in the conversation", async () => {
    const { agent, began, stopped } = workingAgent([works, "Worked.<end>"]);
    const { client, here, begin, get } = await session({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const conversation = (await get(id)).result._meta["cogency/conversation"];
    await client.send("DELETE", undefined, here);
    await stopped;
    const next = await client.session(elicits);
    const later = await answerOf(await client.post(call("ask_agent", { conversation }, 2), next));
    expect(later.result).toMatchObject({ structuredContent: { conversation, text: "Worked." } });
  });

  it("keeps its session from resting", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, begin, get } = await session({ agent, limits: { idle: 5 } });
    const id = await begin({ prompt: "Work." });
    await began;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await get(id)).result.status).toBe("working");
    await server.close();
  });

  it("lets its session rest when its time is over", async () => {
    const { agent, stopped } = workingAgent([works]);
    const { client, here, begin } = await session({ agent, limits: { idle: 5, taskTtl: 100 } });
    await begin({ prompt: "Work." });
    await stopped;
    await expect.poll(async () => (await client.post(request("ping", {}, 51), here)).status).toBe(404);
  });

  it("belongs to its session: for another one it does not exist", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, client, begin, get } = await session({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const other = tasksOf(client, await client.session());
    for (const method of ["get", "result", "cancel"] as const) {
      expect((await other[method](id)).error).toEqual(noSuchTask);
    }
    expect((await other.ask("tasks/list")).result.tasks).toEqual([]);
    expect((await get(id)).result.status).toBe("working");
    await server.close();
  });

  it("is listed in pages, in the order in which tasks began", async () => {
    const { agent } = workingAgent(Array.from({ length: 60 }, () => "Done.<end>"));
    const { begin, ask } = await session({ agent, limits: { calls: 60 } });
    const ids: string[] = [];
    for (let at = 0; at < 60; at++) ids.push(await begin({ prompt: "Go." }));
    const first = (await ask("tasks/list")).result;
    expect(first.tasks).toHaveLength(50);
    const second = (await ask("tasks/list", { cursor: first.nextCursor })).result;
    expect(second.nextCursor).toBeUndefined();
    const listed = [...first.tasks, ...second.tasks] as { taskId: string }[];
    expect(listed.map(({ taskId }) => taskId)).toEqual(ids);
    for (const cursor of ["x", "-1", "61", "1.5", ids[0], 5, null]) {
      expect((await ask("tasks/list", { cursor })).error).toMatchObject({ code: -32602 });
    }
  });

  it("gives way to another one once its result was read, and not before", async () => {
    const { agent } = workingAgent(["One.<end>", "Two.<end>", "Three.<end>"]);
    const { begin, ask, until, result, get } = await session({ agent, limits: { tasksPerUser: 1 } });
    const first = await begin({ prompt: "Go." });
    await until(first, "completed");
    const call = { name: "ask_agent", arguments: { prompt: "Go." }, task: {} };
    expect((await ask("tools/call", call)).error.message).toBe(
      "1 tasks are kept already. Wait until one has ended and read its result, or cancel one.",
    );
    await result(first);
    const second = await begin({ prompt: "Go." });
    expect((await get(first)).error).toEqual(noSuchTask);
    await until(second, "completed");
  });

  it("counts among the calls of its user", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, begin, ask } = await session({ agent, limits: { calls: 1 } });
    await begin({ prompt: "Work." });
    await began;
    const refused = await ask("tools/call", { name: "ask_agent", arguments: { prompt: "Go." }, task: {} });
    expect(refused.error.message).toContain("1 calls run already");
    expect((await ask("tasks/list")).result.tasks).toHaveLength(1);
    await server.close();
  });

  it("goes on at the model of its agent while nobody asks", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const ended = Promise.withResolvers<string>();
    agent.on("run_ended", ({ status }) => ended.resolve(status));
    const { begin } = await session({ agent });
    await begin({ prompt: "What time is it?" });
    expect(await ended.promise).toBe("completed");
  });
});
