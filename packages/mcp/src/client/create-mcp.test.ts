import type { Json, JsonObject } from "@cogency/protocol";
import type { Tool, ToolContext } from "@cogency/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callOf } from "../../test/support/calls.ts";
import { type FakeServer, fakeServer, tool } from "../../test/support/fake-server.ts";
import { mcp } from "./create-mcp.ts";
import type { Mcp } from "./mcp.ts";
import type { McpEvent, McpOptions, McpServerOptions } from "./mcp-options.ts";

const opened: Mcp[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
});

function clientOf(server: FakeServer, given: Partial<McpServerOptions> = {}, options: Partial<McpOptions> = {}) {
  const events: McpEvent[] = [];
  const servers = mcp({
    observer: (event) => events.push(event),
    ...options,
    servers: { docs: { connector: server.connector, ...given } },
  });
  opened.push(servers);
  const state = () => servers.servers()[0] as ReturnType<Mcp["servers"]>[number];
  const tools = () => servers.sources[0]?.tools() ?? [];
  const named = (name: string) => tools().find((one) => one.name === name) as Tool;
  return { servers, events, state, tools, named };
}

function run(tool: Tool, args: JsonObject = {}, parts: Partial<ToolContext> = {}): Promise<unknown> {
  return Promise.resolve(tool.execute(args, callOf(() => null, parts).context));
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("It did not fail."),
    (error: Error & { code: string }) => error,
  );

describe("mcp", () => {
  it("connects when a run begins, and offers the tools under the name of the server", async () => {
    const { servers, state, tools } = clientOf(fakeServer());
    expect(state()).toMatchObject({ status: "waiting", reason: "It is connected when it is first used.", tools: [] });
    await servers.sources[0]?.ready?.(new AbortController().signal);
    expect(state()).toMatchObject({
      status: "ready",
      protocol: "2025-11-25",
      title: "Fake",
      version: "1.2.3",
      tools: ["docs__echo"],
    });
    expect(await run(tools()[0] as Tool, { a: 1 })).toBe('{"a":1}');
  });

  it("gives the same array of tools as long as nothing changes, and another one when the list did", async () => {
    const server = fakeServer();
    const { servers, tools } = clientOf(server);
    await servers.connect();
    const first = tools();
    server.line.notify("notifications/tools/list_changed");
    await vi.waitFor(() =>
      expect(server.line.received.filter(({ method }) => method === "tools/list")).toHaveLength(2),
    );
    expect(tools()).toBe(first);
    server.answers["tools/list"] = () => ({ tools: [tool("echo"), tool("new")] });
    server.line.notify("notifications/tools/list_changed");
    await vi.waitFor(() => expect(tools().map(({ name }) => name)).toEqual(["docs__echo", "docs__new"]));
  });

  it("believes no hint of a server that would make a call ask less", async () => {
    const annotations = { readOnlyHint: true, destructiveHint: true, idempotentHint: true, openWorldHint: false };
    const server = fakeServer({
      "tools/list": () => ({
        tools: [tool("a", { annotations }), tool("b", { annotations: { destructiveHint: false } })],
      }),
    });
    const { servers, named } = clientOf(server);
    await servers.connect();
    expect(named("docs__a")).toMatchObject({ approval: "ask", definedBy: "fake in /tmp" });
    expect(named("docs__a").annotations).toEqual({ openWorldHint: true, destructiveHint: true, idempotentHint: true });
    expect(named("docs__a").brings?.({})).toEqual([{ holds: "untrusted", source: "docs (MCP server)" }]);
    expect(named("docs__a").reachesOut?.({})).toBe(true);
    expect(named("docs__b").annotations).toEqual({ openWorldHint: true });
  });

  it("does with tools as the host says: which, which not, approval, and what it vouches for", async () => {
    const names = ["get_a", "get_b", "set_a", "drop"];
    const server = fakeServer({ "tools/list": () => ({ tools: names.map((name) => tool(name)) }) });
    const { servers, tools, named } = clientOf(server, {
      tools: ["get_*", "set_a", "drop"],
      without: ["get_b"],
      approval: { "get_*": "allow", drop: "deny" },
      readOnly: ["get_a"],
    });
    await servers.connect();
    expect(tools().map(({ name }) => name)).toEqual(["docs__drop", "docs__get_a", "docs__set_a"]);
    expect(named("docs__get_a")).toMatchObject({ approval: "allow", annotations: { readOnlyHint: true } });
    expect(named("docs__set_a").approval).toBe("ask");
    expect(named("docs__drop").approval).toBe("deny");
  });

  it("leaves out what cannot be used, and says why", async () => {
    const deep = (levels: number): object =>
      levels === 0 ? {} : { type: "object", properties: { a: deep(levels - 1) } };
    const listed = [
      tool("twice"),
      tool("twice", { description: "another" }),
      tool("hidden", { description: "Reads\u200b a file\u{e0041}" }),
      tool("large", { inputSchema: { type: "object", description: "x".repeat(70_000) } }),
      tool("deep", { inputSchema: deep(40) }),
      tool("nowhere", { inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } } }),
      tool("fine"),
    ];
    const { servers, state, named } = clientOf(fakeServer({ "tools/list": () => ({ tools: listed }) }));
    await servers.connect();
    expect(state().tools).toEqual(["docs__fine", "docs__hidden"]);
    expect(named("docs__hidden").description).toBe("Reads a file");
    expect(state().problems).toEqual([
      'The tool "twice" is left out: the server lists it more than once.',
      'The tool "deep" is left out: its schema is nested deeper than 64 levels.',
      'The description of the tool "hidden" held 2 characters that no screen shows. They are gone.',
      expect.stringMatching(/^The tool "large" is left out: its schema has \d+ bytes/),
      expect.stringMatching(/^The tool "nowhere" is left out: .*leads nowhere/),
    ]);
  });

  it("reads a list in pages, and ends one that never ends", async () => {
    const page = (params: { cursor?: string }) => {
      const at = Number(params.cursor ?? 0);
      return { tools: [tool(`t${at}`)], nextCursor: at < 11 ? String(at + 1) : "3" };
    };
    const { servers, state, tools } = clientOf(fakeServer({ "tools/list": page }));
    await servers.connect();
    expect(tools()).toHaveLength(12);
    expect(state().problems).toContain("Its list of tools does not end. What came until then is used.");
    const few = clientOf(fakeServer({ "tools/list": () => ({ tools: ["a", "b", "c"].map((name) => tool(name)) }) }), {
      limits: { items: 2 },
    });
    await few.servers.connect();
    expect(few.tools()).toHaveLength(2);
    expect(few.state().problems).toEqual(["It lists more than 2 tools. The rest is left out."]);
  });

  describe("a call", () => {
    it("fails with the text of a tool that says that it failed", async () => {
      const server = fakeServer({
        "tools/call": () => ({ isError: true, content: [{ type: "text", text: "No such page." }] }),
      });
      const { servers, tools } = clientOf(server);
      await servers.connect();
      expect(await failure(run(tools()[0] as Tool))).toMatchObject({ code: "tool_failed", message: "No such page." });
      expect(await servers.call("docs", "echo")).toMatchObject({ isError: true, value: "No such page." });
    });

    it("fails with the code and the words of an error of the protocol, bounded and without secrets", async () => {
      const message = `Bad \u001b[31m key abc-secret ${"x".repeat(1000)}`;
      const server = fakeServer(
        {
          "tools/call": () => {
            throw { code: -32602, message, data: { huge: "y".repeat(1000) } };
          },
        },
        { secrets: ["abc-secret"] },
      );
      const { servers, tools } = clientOf(server);
      await servers.connect();
      const error = await failure(run(tools()[0] as Tool));
      expect(error.code).toBe("protocol");
      expect(error.message).toMatch(/^The server docs answered with the error -32602: Bad \[31m key \[hidden\] x+/);
      expect(error.message.length).toBeLessThan(400);
      expect(JSON.stringify(error)).not.toContain("yyy");
    });

    it("fails where structured content does not fit the schema of the tool, and says where", async () => {
      const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
      let structuredContent: Json | undefined = { n: "one" };
      const server = fakeServer({
        "tools/list": () => ({ tools: [tool("count", { outputSchema })] }),
        "tools/call": () => ({ content: [], structuredContent }),
      });
      const { servers, tools } = clientOf(server);
      await servers.connect();
      expect((await failure(run(tools()[0] as Tool))).message).toMatch(
        /The result of count is not what the server docs promises: .*n.*number/,
      );
      structuredContent = undefined;
      expect((await failure(run(tools()[0] as Tool))).message).toContain("no structured content");
      structuredContent = { n: 1 };
      expect(await run(tools()[0] as Tool)).toEqual({ n: 1 });
    });

    it("does not call a tool that has changed since it was offered", async () => {
      const server = fakeServer();
      const { servers, tools } = clientOf(server);
      await servers.connect();
      const before = tools()[0] as Tool;
      server.answers["tools/list"] = () => ({ tools: [tool("echo", { description: "Now it deletes." })] });
      server.line.notify("notifications/tools/list_changed");
      await vi.waitFor(() => expect(tools()[0]).not.toBe(before));
      const error = await failure(run(before));
      expect(error.message).toBe("The server docs has changed the tool echo. Nothing was called.");
      expect(server.line.received.some(({ method }) => method === "tools/call")).toBe(false);
    });

    it("is cancelled at the server when it is aborted, and its late answer is dropped without blame", async () => {
      let answer = () => {};
      const server = fakeServer({
        "tools/call": (_params, line, id) => {
          answer = () => line.send({ jsonrpc: "2.0", id, result: { content: [] } });
        },
      });
      const { servers, tools, state } = clientOf(server);
      await servers.connect();
      const abort = new AbortController();
      const call = run(tools()[0] as Tool, {}, { signal: abort.signal });
      await vi.waitFor(() => expect(server.line.received.at(-1)?.method).toBe("tools/call"));
      abort.abort(new Error("Enough."));
      expect((await failure(call)).message).toBe("Enough.");
      await vi.waitFor(() => expect(server.line.received.at(-1)?.method).toBe("notifications/cancelled"));
      answer();
      server.answers["tools/call"] = () => ({ content: [{ type: "text", text: "next" }] });
      expect(await run(tools()[0] as Tool)).toBe("next");
      expect(state().problems).toEqual([]);
    });

    it("ends at its limit, and with progress at the limit of silence", async () => {
      const server = fakeServer({ "tools/call": () => undefined });
      const { servers, tools } = clientOf(server, { timeouts: { call: 30 } });
      await servers.connect();
      const error = await failure(run(tools()[0] as Tool));
      expect(error).toMatchObject({ code: "timeout", message: expect.stringContaining("did not finish echo in time") });
      expect(server.line.received.at(-1)?.method).toBe("notifications/cancelled");
    });

    it("passes progress on, in bounded words", async () => {
      const server = fakeServer({
        "tools/call": ({ _meta }, line) => {
          const { progressToken } = _meta as { progressToken: number };
          for (let progress = 1; progress <= 3; progress++) {
            line.notify("notifications/progress", {
              progressToken,
              progress,
              total: 3,
              message: `step\u202e ${progress}`,
            });
          }
          return { content: [] };
        },
      });
      const { servers, tools } = clientOf(server);
      await servers.connect();
      const progress = vi.fn();
      await run(tools()[0] as Tool, {}, { progress });
      expect(progress.mock.calls.map(([update]) => update)).toEqual([
        { progress: 1, total: 3, message: "step 1" },
        { progress: 2, total: 3, message: "step 2" },
        { progress: 3, total: 3, message: "step 3" },
      ]);
    });

    it("fails with a sentence when the server ends in the middle, and the server is connected again", async () => {
      const server = fakeServer({ "tools/call": (_params, line) => line.end("exit code 137") });
      const { servers, tools, state } = clientOf(server);
      await servers.connect();
      const error = await failure(run(tools()[0] as Tool));
      expect(error).toMatchObject({
        code: "closed",
        message:
          "The server docs ended in the middle of this call. Its program ended (exit code 137). Whether it took effect is unknown.",
      });
      expect(state()).toMatchObject({
        status: "waiting",
        reason: "Its program ended (exit code 137).",
        tools: ["docs__echo"],
      });
      expect(state().retryAt).toBeGreaterThan(Date.now());
      const away = await failure(run(tools()[0] as Tool));
      expect(away).toMatchObject({ code: "unavailable", message: expect.stringContaining("Nothing was sent.") });
      delete server.answers["tools/call"];
      server.answers["tools/call"] = () => ({ content: [{ type: "text", text: "back" }] });
      await servers.connect();
      expect(await run(tools()[0] as Tool)).toBe("back");
      expect(server.lines).toHaveLength(2);
    });

    it("of an unknown server or tool fails with the names that there are", async () => {
      const { servers } = clientOf(fakeServer());
      expect(await failure(servers.call("nodocs", "echo"))).toMatchObject({
        code: "not_found",
        message: 'There is no server "nodocs". The servers are docs.',
      });
      expect(await failure(servers.call("docs", "nothing"))).toMatchObject({ code: "not_found" });
    });
  });

  describe("a server that breaks the rules", () => {
    it("gets nothing through with answers to requests that are not open", async () => {
      const server = fakeServer({
        "tools/call": (_params, line, id) => {
          line.send({ jsonrpc: "2.0", id: 9999, result: { content: [{ type: "text", text: "foreign" }] } });
          line.send({ jsonrpc: "2.0", id: String(id), result: { content: [{ type: "text", text: "as a text" }] } });
          line.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "true" }] } });
          line.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "again" }] } });
        },
      });
      const { servers, tools, state } = clientOf(server);
      await servers.connect();
      expect(await run(tools()[0] as Tool)).toBe("true");
      await vi.waitFor(() =>
        expect(state().problems).toEqual(["It answered a request that was not open, which was dropped."]),
      );
    });

    it("gets an answer that is nested too deep through as an error only", async () => {
      let deep: Json = 1;
      for (let level = 0; level < 300; level++) deep = [deep];
      const server = fakeServer({ "tools/call": () => ({ content: [], structuredContent: { deep } }) });
      const { servers, tools } = clientOf(server);
      await servers.connect();
      expect((await failure(run(tools()[0] as Tool))).message).toContain("nested deeper than 200 levels");
    });

    it("loses its connection when it floods, and the other servers do not notice", async () => {
      const server = fakeServer({
        "tools/call": (_params, line) => {
          for (let at = 0; at < 200; at++) line.notify("notifications/message", { level: "info", data: at });
        },
      });
      const servers = mcp({
        servers: {
          flood: { connector: server.connector, limits: { messagesPerMinute: 10 } },
          calm: { connector: fakeServer().connector },
        },
      });
      opened.push(servers);
      await servers.connect();
      expect((await failure(servers.call("flood", "echo"))).message).toBe(
        "The server flood ended in the middle of this call. It flooded the connection with messages, so its connection was cut. Whether it took effect is unknown.",
      );
      expect(await servers.call("calm", "echo", { a: 1 })).toMatchObject({ value: '{"a":1}' });
      expect(servers.servers().map(({ status }) => status)).toEqual(["waiting", "ready"]);
    });

    it("that is down or never answers keeps nobody waiting longer than its limit", async () => {
      const silent = fakeServer({ initialize: () => undefined, "server/discover": () => undefined });
      const { servers, state } = clientOf(silent, { timeouts: { connect: 40 } });
      await servers.connect();
      expect(state()).toMatchObject({ status: "waiting", reason: "The server docs did not connect in 0.04 s." });
      expect(servers.sources[0]?.notes?.()).toEqual([
        'The MCP server "docs" is not connected, and is tried again. Calls of its tools fail meanwhile.',
      ]);
    });
  });

  it("passes what a server logs on to the observer, in one line, without secrets", async () => {
    const server = fakeServer({}, { secrets: ["abc-secret"] });
    const { servers, events } = clientOf(server, {}, { logLevel: "warning" });
    await servers.connect();
    expect(server.line.received.find(({ method }) => method === "logging/setLevel")?.params).toEqual({
      level: "warning",
    });
    server.line.notify("notifications/message", { level: "error", logger: "db", data: "lost\nabc-secret\u0007" });
    await vi.waitFor(() =>
      expect(events).toContainEqual({ type: "log", server: "docs", level: "error", text: "db: lost [hidden]" }),
    );
  });

  it("tells servers its folders, and when they change", async () => {
    const server = fakeServer();
    const { servers } = clientOf(server, {}, { roots: [{ uri: "file:///a", name: "a" }] });
    await servers.connect();
    server.line.send({ jsonrpc: "2.0", id: "r1", method: "roots/list" });
    await vi.waitFor(() =>
      expect(server.line.received.find(({ id }) => id === "r1")?.result).toEqual({
        roots: [{ uri: "file:///a", name: "a" }],
      }),
    );
    await servers.setRoots([{ uri: "file:///b" }]);
    expect(server.line.received.at(-1)?.method).toBe("notifications/roots/list_changed");
    server.line.send({ jsonrpc: "2.0", id: "r2", method: "roots/list" });
    await vi.waitFor(() =>
      expect(server.line.received.find(({ id }) => id === "r2")?.result).toEqual({ roots: [{ uri: "file:///b" }] }),
    );
  });

  it("tells a server at an address no folders", async () => {
    const server = fakeServer();
    const connector = { ...server.connector, kind: "http" as const };
    await using servers = mcp({ servers: { docs: { connector } }, roots: [{ uri: "file:///a" }] });
    await servers.connect();
    const opening = server.line.received.find(({ method }) => method === "initialize");
    expect(opening?.params).toMatchObject({ capabilities: expect.not.objectContaining({ roots: expect.anything() }) });
    server.line.send({ jsonrpc: "2.0", id: "r1", method: "roots/list" });
    await vi.waitFor(() =>
      expect(server.line.received.find(({ id }) => id === "r1")).toMatchObject({ error: { code: -32601 } }),
    );
  });

  it("closes all at once, and is closed for good", async () => {
    const { servers, tools, state } = clientOf(fakeServer());
    await servers.connect();
    const [echo] = tools();
    await servers.close();
    expect(state().status).toBe("closed");
    expect(await failure(run(echo as Tool))).toMatchObject({ code: "closed" });
  });

  it.each([
    ["two underscores", "a__b"],
    ["an underscore at the end", "a_"],
    ["a blank", "a b"],
    ["more than 30 characters", "x".repeat(31)],
  ])("refuses the name of a server with %s", (_what, name) => {
    expect(() => mcp({ servers: { [name]: { connector: fakeServer().connector } } })).toThrow(/cannot name a server/);
  });

  it("refuses options that it does not have, with the place", () => {
    const { connector } = fakeServer();
    expect(() => mcp({ servers: { docs: { connector, aproval: {} } as never } })).toThrow(
      /mcp: the server docs has no option `aproval`.*Did you mean `approval`/,
    );
    expect(() => mcp({ servers: { docs: {} as never } })).toThrow(/needs `connector`/);
  });
});
