import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { answerOf, call, request, streamed } from "../../../test/server/raw-client.ts";
import { approved, refunds, taskCall, taskSession, workingAgent } from "../../../test/server/tasks.ts";
import { mcpHost } from "../index.ts";

describe("the client of a task of 2025-11-25", () => {
  it("is asked by the request that waits for its result, and told of its states", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until } = await taskSession({ agent });
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

  it("is asked again by a newer request for its result, and the older question is withdrawn", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until } = await taskSession({ agent });
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

  it("gets a result that says how to go on, where nobody answers in time", async () => {
    const { agent, ran } = workingAgent([refunds, "Refunded.<end>"]);
    const { client, here, begin, until, result } = await taskSession({ agent, limits: { answer: 20 } });
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

  it("is told progress with the token of its call, and to which task it belongs", async () => {
    const { agent } = workingAgent(["It is noon.<end>"]);
    const { client, here, until } = await taskSession({ agent });
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

  it("is told the log of a task, at the level that it has set", async () => {
    const talks = defineTool({
      name: "talks",
      description: "Talks.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      execute(_, context) {
        mcpHost(context)?.log("debug", "too much");
        mcpHost(context)?.log("warning", "enough");
        return "said";
      },
    });
    const { client, here, ask, until } = await taskSession({ tools: [talks], tasks: ["talks"] });
    const listening = streamed(await client.send("GET", undefined, here));
    await ask("logging/setLevel", { level: "warning" });
    const { taskId } = (await ask("tools/call", { name: "talks", arguments: {}, task: {} })).result.task;
    await until(taskId, "completed");
    expect((await listening.next()).value).toMatchObject({
      method: "notifications/message",
      params: { level: "warning", data: "enough", _meta: { "io.modelcontextprotocol/related-task": { taskId } } },
    });
    await listening.return(undefined);
  });
});
