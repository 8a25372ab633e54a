import { setImmediate as turn } from "node:timers/promises";
import { defineTool, type Tool, type ToolSource, withAttachments } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { answerOf, call, rawClient, request, streamed } from "../../test/server/raw-client.ts";
import { probeTools } from "../../test/server/tools.ts";
import { mcpServer } from "./index.ts";

const input = { type: "object", properties: {} } as const;
const readOnly = { readOnlyHint: true } as const;

function toolOf(name: string, execute: Tool["execute"], more: object = {}): Tool {
  return defineTool({ name, description: name, input, annotations: readOnly, execute, ...more });
}

async function called(tool: Tool, execution = {}) {
  const server = mcpServer({ tools: [tool], execution });
  return rawClient(server).modern("tools/call", { name: tool.name, arguments: {} });
}

describe("mcpServer", () => {
  it.each([
    ["nothing to offer", {}, "there is nothing to offer"],
    ["an option that is none", { tools: [], toolz: [] }, "toolz"],
    ["a secret that is too short", { tools: [], secret: "hunter2" }, "at least 32 bytes"],
    ["a limit out of its range", { tools: [], limits: { depth: 1 } }, "depth"],
  ])("refuses %s", (_, offer, text) => {
    expect(() => mcpServer(offer as never)).toThrow(text);
  });

  it("refuses two tools of one name", () => {
    const { add } = probeTools();
    expect(() => mcpServer({ tools: [add, add] })).toThrow("two tools have this name");
  });

  it("lists tools with their schemas and annotations as they are", async () => {
    const { add } = probeTools();
    const { result } = await rawClient(mcpServer({ tools: [add] })).modern("tools/list");
    expect(result.tools).toEqual([
      {
        name: "add",
        description: "Adds two numbers.",
        inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...add.spec.parameters },
        annotations: { readOnlyHint: true },
      },
    ]);
  });

  it.each([
    ["a text", () => "done", { content: [{ type: "text", text: "done" }] }],
    ["a number", () => 5, { content: [{ type: "text", text: "5" }] }],
    ["an object", () => ({ a: 1 }), { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } }],
    [
      "an error",
      () => {
        throw new Error("no such order");
      },
      { content: [{ type: "text", text: "no such order" }], isError: true },
    ],
    [
      "a sound",
      () => withAttachments("", [{ kind: "file", mediaType: "audio/wav", data: "AAAA" }]),
      { content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }] },
    ],
    [
      "a text and a file of bytes",
      () =>
        withAttachments("the file", [{ kind: "file", mediaType: "application/pdf", data: "AAAA", name: "a b.pdf" }]),
      {
        content: [
          { type: "text", text: "the file" },
          { type: "resource", resource: { uri: "attachment:///a%20b.pdf", mimeType: "application/pdf", blob: "AAAA" } },
        ],
      },
    ],
    [
      "a link",
      () => withAttachments("", [{ kind: "image", mediaType: "image/png", data: { url: "https://a.example/b.png" } }]),
      {
        content: [
          {
            type: "resource_link",
            uri: "https://a.example/b.png",
            name: "https://a.example/b.png",
            mimeType: "image/png",
          },
        ],
      },
    ],
  ])("gives the result of a tool that returns %s", async (_, execute, expected) => {
    const { result } = await called(toolOf("one", execute));
    expect(result).toMatchObject(expected);
    expect(result.isError).toBe("isError" in expected ? true : undefined);
  });

  it("checks arguments before a body runs", async () => {
    const { add, ran } = probeTools();
    const client = rawClient(mcpServer({ tools: [add] }));
    const { result } = await client.modern("tools/call", { name: "add", arguments: { a: 1, b: "x" } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("b") }] });
    expect(ran).toEqual([]);
  });

  it("cuts a result at the limit of the executor, and at 1 MiB without one", async () => {
    const long = toolOf("long", () => "x".repeat(3_000_000));
    const usual = await called(long);
    const short = await called(long, { maxResultBytes: 1000 });
    expect(usual.result.content[0].text.length).toBeLessThan(1_100_000);
    expect(short.result.content[0].text.length).toBeLessThan(1100);
  });

  it("runs the hooks of the host around each call", async () => {
    const { add, ran } = probeTools();
    const blocks = { name: "office hours", beforeToolUse: () => ({ block: "It is night." }) };
    const client = rawClient(mcpServer({ tools: [add], execution: { hooks: [blocks] } }));
    const { result } = await client.modern("tools/call", { name: "add", arguments: { a: 1, b: 2 } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("It is night.") }] });
    expect(ran).toEqual([]);
  });

  it("tells progress only to a client that has given a token", async () => {
    const steps = toolOf("steps", async function* () {
      yield "first";
      yield { progress: 7, total: 9 };
      yield 3;
      return "done";
    });
    const client = rawClient(mcpServer({ tools: [steps] }));
    const params = { name: "steps", arguments: {} };
    const told = await client.modern("tools/call", { ...params, _meta: { progressToken: "t" } });
    const silent = await client.modern("tools/call", params);
    expect(told.notifications.map(({ params }) => params)).toEqual([
      { progressToken: "t", progress: 1, message: "first" },
      { progressToken: "t", progress: 7, total: 9 },
    ]);
    expect(silent.notifications).toEqual([]);
  });

  it("aborts a call that the client cancels, and gives no answer", async () => {
    const { tools, began, ended } = probeTools();
    const client = rawClient(mcpServer({ tools }));
    const here = await client.session();
    const response = await client.post(call("wait", {}, 7), here);
    await began;
    await client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }, here);
    expect(await ended).toBe("aborted");
    expect(await answerOf(response)).toEqual({ notifications: [] });
  });

  it("aborts a call of 2026-07-28 whose client has gone", async () => {
    const { tools, began, ended } = probeTools();
    const server = mcpServer({ tools });
    const leaving = new AbortController();
    const handler = (given: Request) => server.handler(new Request(given, { signal: leaving.signal }));
    const answer = rawClient({ handler }).modern("tools/call", { name: "wait", arguments: {} });
    await began;
    leaving.abort();
    expect(await ended).toBe("aborted");
    expect((await answer).result).toBeUndefined();
  });

  it("offers the tools that a source has at the moment, and tells sessions of changes", async () => {
    const { add, write } = probeTools();
    let tools: readonly Tool[] = [add];
    const source: ToolSource = { name: "changing", tools: () => tools };
    const server = mcpServer({ tools: source });
    const client = rawClient(server);
    const here = await client.session();
    const stream = streamed(await client.send("GET", undefined, here));
    tools = [add, write];
    server.toolsChanged();
    expect((await stream.next()).value).toMatchObject({ method: "notifications/tools/list_changed" });
    const { result } = await answerOf(await client.post(request("tools/list"), here));
    expect(result.tools.map(({ name }: Tool) => name)).toEqual(["add", "write"]);
    await server.close();
  });

  it("keeps the tools of a source that gives what is no tool, and tells the host", async () => {
    const { add } = probeTools();
    const tools: unknown[] = [add];
    const errors: string[] = [];
    const source = { name: "broken", tools: () => [...tools] as Tool[] };
    const server = mcpServer({ tools: source, onError: ({ message }) => errors.push(message) });
    await rawClient(server).modern("tools/list");
    tools.push({ name: "half" });
    const { result } = await rawClient(server).modern("tools/list");
    expect(result.tools.map(({ name }: Tool) => name)).toEqual(["add"]);
    expect(errors).toEqual([expect.stringContaining("half")]);
  });

  it("waits for a source that is about to have its tools", async () => {
    const { add } = probeTools();
    let tools: readonly Tool[] = [];
    const ready = async () => {
      await turn();
      tools = [add];
    };
    const server = mcpServer({ tools: { name: "slow", tools: () => tools, ready } });
    const { result } = await rawClient(server).modern("tools/call", { name: "add", arguments: { a: 1, b: 2 } });
    expect(result.content).toEqual([{ type: "text", text: "3" }]);
  });

  it("refuses a call while too many of the same user run", async () => {
    const { tools, began } = probeTools();
    const server = mcpServer({ tools, limits: { calls: 1 } });
    const client = rawClient(server);
    const here = await client.session();
    await client.post(call("wait", {}, 1), here);
    await began;
    const { error } = await answerOf(await client.post(call("add", { a: 1, b: 2 }, 2), here));
    expect(error.message).toContain("1 calls run already");
    await server.close();
  });

  it("serves nobody after it was closed, and ends what ran", async () => {
    const { tools, began, ended } = probeTools();
    const server = mcpServer({ tools });
    const client = rawClient(server);
    await client.post(call("wait"), await client.session());
    await began;
    await server.close();
    expect(await ended).toBe("aborted");
    expect((await client.post(request("ping"))).status).toBe(503);
  });
});
