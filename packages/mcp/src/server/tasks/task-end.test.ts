import { describe, expect, it } from "vitest";
import { answerOf, call, request } from "../../../test/server/raw-client.ts";
import { noSuchTask, taskSession, workingAgent, works } from "../../../test/server/tasks.ts";

describe("the end of a task of 2025-11-25", () => {
  it("comes once when its client cancels it: the run stops, and there is no result", async () => {
    const { agent, began, stopped } = workingAgent([works]);
    const { begin, cancel, get, result } = await taskSession({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const waiting = result(id);
    expect((await cancel(id)).result).toMatchObject({ taskId: id, status: "cancelled" });
    await stopped;
    expect((await waiting).error).toMatchObject({ message: "The task was cancelled, so it has no result." });
    expect((await cancel(id)).error).toEqual({ code: -32602, message: "The task is over: cancelled." });
    expect((await get(id)).result).toMatchObject({ status: "cancelled" });
  });

  it("comes when its time is over: the run stops, and another call goes on in the conversation", async () => {
    const { agent, stopped } = workingAgent([works, "Worked.<end>"]);
    const { client, here, begin, get, result } = await taskSession({ agent, limits: { taskTtl: 300 } });
    const id = await begin({ prompt: "Work." }, { ttl: 60_000 });
    const { error } = await result(id);
    expect(error.message).toMatch(/^The time of the task is over. Call the tool with the conversation "mcp-/);
    await stopped;
    expect((await get(id)).error).toEqual(noSuchTask);
    const conversation = /"(mcp-[^"]+)"/.exec(error.message)?.[1];
    const later = await answerOf(await client.post(call("ask_agent", { conversation }, 2), here));
    expect(later.result).toMatchObject({ structuredContent: { conversation, text: "Worked." } });
  });

  it("comes with that of its session, and another session goes on in the conversation", async () => {
    const { agent, began, stopped } = workingAgent([works, "Worked.<end>"]);
    const { client, here, begin, get } = await taskSession({ agent });
    const id = await begin({ prompt: "Work." });
    await began;
    const conversation = (await get(id)).result._meta["cogency/conversation"];
    await client.send("DELETE", undefined, here);
    await stopped;
    const next = await client.session();
    const later = await answerOf(await client.post(call("ask_agent", { conversation }, 2), next));
    expect(later.result).toMatchObject({ structuredContent: { conversation, text: "Worked." } });
  });

  it("is what its session waits for before it rests", async () => {
    const { agent, began } = workingAgent([works]);
    const { server, begin, get } = await taskSession({ agent, limits: { idle: 5 } });
    const id = await begin({ prompt: "Work." });
    await began;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await get(id)).result.status).toBe("working");
    await server.close();
  });

  it("lets its session rest once its time is over", async () => {
    const { agent, stopped } = workingAgent([works]);
    const { client, here, begin } = await taskSession({ agent, limits: { idle: 5, taskTtl: 100 } });
    await begin({ prompt: "Work." });
    await stopped;
    await expect.poll(async () => (await client.post(request("ping", {}, 51), here)).status).toBe(404);
  });

  it("lets it give way to another one once its result was read, and not before", async () => {
    const { agent } = workingAgent(["One.<end>", "Two.<end>", "Three.<end>"]);
    const { begin, ask, until, result, get } = await taskSession({ agent, limits: { tasksPerUser: 1 } });
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
});
