import { describe, expect, it } from "vitest";
import { answerOf } from "../../../test/server/raw-client.ts";
import { noSuchTask, taskCall, taskSession, tasksOf, workingAgent, works } from "../../../test/server/tasks.ts";
import { probeTools } from "../../../test/server/tools.ts";

describe("a task of 2025-11-25", () => {
  it("is answered at once, and its result is that of the call", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { client, here, result, until } = await taskSession({ agent });
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
    const { server, begin, get } = await taskSession({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const { result } = await get(id);
    expect(result).toMatchObject({ status: "working", statusMessage: "work runs." });
    expect(result._meta["cogency/conversation"]).toMatch(/^mcp-/);
    await server.close();
  });

  it("fails where the call does, and says why", async () => {
    const { agent } = workingAgent([]);
    const { begin, until, result } = await taskSession({ agent });
    const id = await begin({ prompt: "Hello." });
    expect((await until(id, "failed")).statusMessage).toContain("The agent failed");
    expect((await result(id)).result).toMatchObject({ isError: true });
  });

  it("is no task for a tool that does not run as one", async () => {
    const { add, ran } = probeTools();
    const { agent } = workingAgent([]);
    const { ask } = await taskSession({ agent, tools: [add] });
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
    const { ask } = await taskSession({ agent });
    const params = { name: "ask_agent", arguments: { prompt: "Hello." }, task };
    expect((await ask("tools/call", params)).error).toMatchObject({ code: expect.any(Number) });
    expect((await ask("tasks/list")).result.tasks).toEqual([]);
  });

  it("belongs to its session: for another one it does not exist", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, client, begin, get } = await taskSession({ agent });
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
    const { begin, ask } = await taskSession({ agent, limits: { calls: 60 } });
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

  it("counts among the calls of its user", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, begin, ask } = await taskSession({ agent, limits: { calls: 1 } });
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
    const { begin } = await taskSession({ agent });
    await begin({ prompt: "What time is it?" });
    expect(await ended.promise).toBe("completed");
  });
});
