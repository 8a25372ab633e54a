import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { answerText } from "../../../test/support/answering.ts";
import { callOf } from "../../../test/support/calls.ts";
import { connected } from "../../../test/support/connected.ts";
import type { CallInFlight } from "../server-link.ts";
import { callAsTask, needsTask } from "./call-as-task.ts";

const { signal } = new AbortController();
const call = { server: "github", name: "report", arguments: { a: 1 }, signal, timeout: 5000, total: 60_000 };
const working = (parts: object = {}) => ({
  taskId: "t1",
  status: "working",
  createdAt: "",
  lastUpdatedAt: "",
  ttl: null,
  pollInterval: 1,
  ...parts,
});

describe("callAsTask", () => {
  it("asks for the state until the task has ended, tells what the server says, and gives its result", async () => {
    const asked: unknown[] = [];
    const { client } = await connected(({ method, params }) => {
      if (method.startsWith("notifications/")) return;
      asked.push(method);
      if (method === "tools/call") return { task: working({ statusMessage: JSON.stringify(params.task) }) };
      if (method === "tasks/get")
        return working(asked.length < 4 ? { statusMessage: "half\u200b" } : { status: "completed" });
      return answerText(params.taskId);
    });
    const told: string[] = [];
    const result = await callAsTask(client, { ...call, progress: (message) => told.push(message) });
    expect(result.content).toEqual([{ type: "text", text: '"t1"' }]);
    expect(asked).toEqual(["tools/call", "tasks/get", "tasks/get", "tasks/get", "tasks/result"]);
    expect(told).toEqual(['{"ttl":60000}', "half"]);
  });

  it("takes a result that comes at once", async () => {
    const { client } = await connected(() => ({ ...answerText("now"), isError: true }));
    expect(await callAsTask(client, call)).toMatchObject({ isError: true, content: [{ text: '"now"' }] });
  });

  it("puts what a task asks to the person of its call", async () => {
    const { context, asked } = callOf(() => ({ year: 2026 }));
    const other = callOf(() => ({ year: 1 })).context;
    const own: CallInFlight = { tool: "report", context };
    const inFlight = [{ tool: "older", context: other }, own];
    const { client } = await connected(
      async ({ method }, peer) => {
        if (method === "tools/call") return { task: working() };
        if (method === "tasks/get") return working({ status: "input_required" });
        if (method !== "tasks/result") return;
        const requestedSchema = { type: "object", properties: { year: { type: "integer" } } };
        const params = {
          message: "Which?",
          requestedSchema,
          _meta: { "io.modelcontextprotocol/related-task": { taskId: "t1" } },
        };
        return answerText(await peer.request("elicitation/create", params));
      },
      { inFlight },
    );
    const begun = (id: string) => {
      own.task = id;
    };
    const { content } = await callAsTask(client, { ...call, begun });
    expect(content).toEqual([{ type: "text", text: '{"action":"accept","content":{"year":2026}}' }]);
    expect(asked).toHaveLength(1);
  });

  it("has the server cancel the task when the call is cancelled", async () => {
    const controller = new AbortController();
    let cancelled: ((id: unknown) => void) | undefined;
    const wasCancelled = new Promise((resolve) => {
      cancelled = resolve;
    });
    const { client } = await connected(({ method, params }) => {
      if (method === "tasks/cancel") cancelled?.(params.taskId);
      if (method === "tools/call") return { task: working() };
      if (method === "tasks/get") controller.abort(new Error("stopped"));
      return working();
    });
    await expect(callAsTask(client, { ...call, signal: controller.signal })).rejects.toThrow("stopped");
    expect(await wasCancelled).toBe("t1");
  });

  it("ends a task that does not end in time", async () => {
    const { client } = await connected(({ method }) => (method === "tools/call" ? { task: working() } : working()));
    await expect(callAsTask(client, { ...call, total: 20 })).rejects.toMatchObject({
      code: "timeout",
      message: "The task of report did not end in 0.02 s. The server github was told to cancel it.",
    });
  });

  it("fails where the server has cancelled the task", async () => {
    const { client } = await connected(({ method }) =>
      method === "tools/call" ? { task: working() } : working({ status: "cancelled" }),
    );
    await expect(callAsTask(client, call)).rejects.toMatchObject({ code: "tool_failed" });
  });

  it.each([
    ["another task", { taskId: "t2" }],
    ["a status of its own", { status: "thinking" }],
    ["no task", { taskId: undefined }],
  ])("fails where the server answers with %s", async (_, parts) => {
    const { client } = await connected(({ method }) =>
      method === "tools/call" ? { task: working() } : working(parts),
    );
    await expect(callAsTask(client, call)).rejects.toMatchObject({ code: "protocol" });
  });

  it.each([
    ["no task at all", { task: null }],
    ["an id without end", { task: working({ taskId: "t".repeat(10_000) }) }],
    ["a result that is none", { content: [{ type: "nonsense" }] }],
  ])("fails where the server begins with %s", async (_, begun) => {
    const { client } = await connected(() => begun);
    await expect(callAsTask(client, call)).rejects.toMatchObject({ code: "protocol" });
  });
});

describe("needsTask", () => {
  const tool = (taskSupport?: string) =>
    ({ name: "report", inputSchema: { type: "object" }, execution: { taskSupport } }) as Tool;

  it("is true for a tool that runs only as a task, of a server that has tasks", async () => {
    const { client } = await connected(() => ({}));
    expect(["required", "optional", "forbidden", undefined].map((support) => needsTask(client, tool(support)))).toEqual(
      [true, false, false, false],
    );
    client.getServerCapabilities = () => ({ tools: {} });
    expect(needsTask(client, tool("required"))).toBe(false);
  });

  it("is false with 2026-07-28, whose tasks are an extension that is not declared", async () => {
    const { client } = await connected(() => ({}), { revision: "2026-07-28" });
    expect(needsTask(client, tool("required"))).toBe(false);
  });
});
