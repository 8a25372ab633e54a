import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";
import { wholeResult } from "../host.ts";
import { createExecutor, createRegistry, defineTool, readResultTool, toToolResult } from "../index.ts";

const long = `first line\n${"x".repeat(5000)}\nlast line`;
const tool = freeTool("print", () => long);
const size = (content: unknown) => new TextEncoder().encode(String(content)).length;

describe("the limit of results", () => {
  it("shows the model head and tail, and keeps the whole", async () => {
    const [execution] = await executorOf([tool], { maxResultBytes: 1000 }).run(
      [{ name: "print", args: {}, id: "call_1" }],
      batchContext(),
    );
    if (!execution) throw new Error("no execution");
    const { content } = toToolResult(execution);
    expect(content).toMatch(/^first line\nx+/);
    expect(content).toMatch(/x+\nlast line$/);
    expect(content).toMatch(/bytes left out\. The whole result is kept under the id "call_1"\]/);
    expect(size(content)).toBeLessThanOrEqual(1000);
    expect(wholeResult(execution)).toEqual({ tool: "print", status: "success", content: long });
    expect(execution.value).toBe(long);
    expect(toToolResult(execution)).toEqual(toToolResult(execution));
  });

  it("holds for error messages, too", async () => {
    const bad = freeTool("bad", () => Promise.reject(new Error(long)));
    const executions = await executorOf([bad], { maxResultBytes: 1000 }).run(
      [{ name: "bad", args: {} }],
      batchContext(),
    );
    const [result] = executions.map(toToolResult);
    expect(result?.status).toBe("failure");
    expect(size(result?.content)).toBeLessThanOrEqual(1000);
  });

  it("is 64 KiB unless the executor or the tool says otherwise", async () => {
    const big = (name: string, maxResultBytes?: number) =>
      defineTool({
        name,
        description: name,
        input: { type: "object" },
        maxResultBytes,
        execute: () => "y".repeat(70_000),
      });
    const tools = [big("usual"), big("small", 2000), big("free", Number.POSITIVE_INFINITY)];
    const executions = await executorOf(tools).run(
      tools.map(({ name }) => ({ name, args: {} })),
      batchContext(),
    );
    const sizes = executions.map((execution) => size(toToolResult(execution).content));
    expect(sizes[0]).toBeGreaterThan(65_000);
    expect(sizes[0]).toBeLessThanOrEqual(65_536);
    expect(sizes[1]).toBeLessThanOrEqual(2000);
    expect(sizes[2]).toBe(70_000);
  });

  it("names `read_result` if it is registered, and that tool finds the whole result in the log", async () => {
    const executor = createExecutor({ registry: createRegistry([tool, readResultTool()]), maxResultBytes: 1000 });
    const [execution] = await executor.run([{ name: "print", args: {}, id: "call_1" }], batchContext());
    if (!execution) throw new Error("no execution");
    expect(toToolResult(execution).content).toContain('read more with read_result {"id":"call_1"');
    const finished = { id: "call_1", result: wholeResult(execution) };
    expect(executor.shorten(finished.result, "call_1")).toEqual(toToolResult(execution));

    const state = {
      events: [{ type: "record" as const, kind: "finished" as const, data: finished, timestamp: 1 }],
      metadata: {},
      step: 2,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    };
    const [read] = await executor.run(
      [{ name: "read_result", args: { id: "call_1", from: 5000 } }],
      batchContext({ state }),
    );
    expect(read?.value).toMatchObject({ text: long.slice(5000), from: 5000, total: long.length });
  });

  it("refuses a limit that leaves no room for a note", () => {
    expect(() => executorOf([tool], { maxResultBytes: 10 })).toThrow(
      "`maxResultBytes` is 10; give a number of bytes of at least 512",
    );
  });
});
