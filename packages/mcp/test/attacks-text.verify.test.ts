import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { http, mcp } from "../src/index.ts";
import { attacked, secret } from "./hostile/attacked.ts";
import { offering, said, tool } from "./hostile/behaviour.ts";

/** Zero width, direction, tags, an escape sequence, and a mark of invisible text. */
const marks = ["\u200b", "\u202e", "\u{e0041}", "\u001b", "\u2063", "\ufeff"];
const hidden = marks.join("[31m");

/** The texts in a value that hold such a mark. */
function hiddenIn(value: unknown): string[] {
  if (typeof value === "string") return marks.some((mark) => value.includes(mark)) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flat().flatMap(hiddenIn);
}

describe.concurrent("text that no screen shows", () => {
  it.each<[string, object]>([
    ["the description", { description: `Does${hidden} it.` }],
    ["the title", { title: `It${hidden}` }],
    ["the title in the annotations", { annotations: { title: `It${hidden}` } }],
    [
      "the description of an argument",
      { inputSchema: schemaWith({ a: { type: "string", description: `It${hidden}` } }) },
    ],
    ["the title of an argument", { inputSchema: schemaWith({ a: { type: "string", title: `It${hidden}` } }) }],
    ["the values of an argument", { inputSchema: schemaWith({ a: { enum: [`x${hidden}`, "y"] } }) }],
    ["the name of an argument", { inputSchema: schemaWith({ [`a${hidden}`]: { type: "string" } }) }],
    ["a comment of the schema", { inputSchema: { ...schemaWith({}), $comment: hidden } }],
  ])("does not reach the model in %s", async (_, more) => {
    const { model, offered } = await attacked({ behaviour: offering(tool("echo", more)) });
    expect(offered.has("evil__echo")).toBe(true);
    expect(hiddenIn(JSON.parse(model))).toEqual([]);
  });

  it("reaches neither log lines nor progress nor the state of the server", async () => {
    const { events, states, log } = await attacked({
      behaviour: {
        initialize: ({ params }) => ({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: `n${hidden}`, title: `t${hidden}`, version: `1${hidden}` },
          instructions: `Do${hidden} this.`,
        }),
        "tools/call"({ params }, wire) {
          const { progressToken } = params._meta ?? {};
          wire.send(notice("notifications/message", { level: "info", logger: hidden, data: `log${hidden}` }));
          wire.send(notice("notifications/message", { level: "info", data: { a: `log${hidden}` } }));
          if (progressToken !== undefined)
            wire.send(notice("notifications/progress", { progressToken, progress: 1, message: `half${hidden}` }));
          return said("done");
        },
      },
      steps: [["evil__echo", { name: "mcp_resources", args: { server: "evil" } }]],
    });
    expect(events.filter(({ type }) => type === "log")).toHaveLength(2);
    expect(hiddenIn([events, states, log])).toEqual([]);
  });

  it("is a secret of the host in no definition, and in no name", async () => {
    const { problems, offered } = await attacked({
      behaviour: {
        initialize: ({ params }) => ({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: secret, title: secret, version: secret },
        }),
        "tools/list": () => ({
          tools: [
            tool("echo", {
              title: secret,
              description: `It uses ${secret}.`,
              inputSchema: { type: "object", properties: { a: { description: secret, default: secret } } },
            }),
            tool(secret),
          ],
        }),
        "tools/call"(_, wire) {
          wire.send(notice("notifications/message", { level: "info", data: { [secret]: secret } }));
          return said("done");
        },
      },
    });
    expect([...offered.keys()].filter((name) => name.startsWith("evil"))).toEqual(["evil__echo"]);
    expect(problems.join()).toContain("its name holds a secret");
  });

  it("of 100,000 characters in names of tools is told in short sentences", async () => {
    const long = "x".repeat(100_000);
    const { problems } = await attacked({ behaviour: offering(tool("echo"), tool(`${long}.`), tool(`${long}_`)) });
    for (const problem of problems) expect(problem.length).toBeLessThan(500);
  });

  it("reaches the model in no failure of a call, and no failure holds the secret that it was sent", async () => {
    const { results } = await attacked({
      behaviour: {
        ...offering(tool("echo", { inputSchema: schemaWith({ how: {} }) })),
        "tools/call": ({ id, params }, wire) => {
          const text = `Failed${hidden} with ${secret}`;
          if (params.arguments.how === "result") return said(text, { isError: true });
          wire.send({ jsonrpc: "2.0", id, error: { code: -32_000, message: text, data: { key: secret } } });
        },
      },
      steps: [
        [
          { name: "evil__echo", args: { how: "result" } },
          { name: "evil__echo", args: { how: "error" } },
        ],
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(["failure", "failure"]);
    for (const { content } of results) {
      expect(content).toContain("Failed");
      expect(hiddenIn(content)).toEqual([]);
    }
  });

  it("in a result counts as untrusted, and shows no secret that the server was sent", async () => {
    const { results, log } = await attacked({
      behaviour: { "tools/call": () => said(`Token: ${secret}`, { structuredContent: { key: [secret] } }) },
    });
    expect(results[0]?.status).toBe("success");
    expect(JSON.stringify(results[0]?.content)).toContain("[hidden]");
    expect(JSON.stringify(log)).toContain('"untrusted"');
  });
});

describe.concurrent("text that is too much", () => {
  it("of a description is cut, and told", async () => {
    const { offered, problems } = await attacked({
      behaviour: offering(tool("echo", { description: "x".repeat(3_000_000) })),
    });
    expect(offered.get("evil__echo")?.description.length).toBeLessThan(4100);
    expect(problems.join()).toContain("has more than 4000 characters");
  });

  it("of instructions, of log lines and of progress is cut", async () => {
    const long = "x".repeat(500_000);
    const { events, model, log } = await attacked({
      behaviour: {
        initialize: ({ params }) => ({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: long, version: long },
          instructions: long,
        }),
        "tools/call"({ params }, wire) {
          const { progressToken } = params._meta ?? {};
          wire.send(notice("notifications/message", { level: "info", data: long }));
          wire.send(notice("notifications/progress", { progressToken, progress: 1, message: long }));
          return said("done");
        },
      },
      steps: [["evil__echo", { name: "mcp_resources", args: { server: "evil" } }]],
    });
    expect(JSON.stringify(events).length).toBeLessThan(20_000);
    expect(model.length).toBeLessThan(50_000);
    expect(JSON.stringify(log).length).toBeLessThan(50_000);
  });

  it("of a message ends the connection with a sentence", async () => {
    const { results, states } = await attacked({
      behaviour: { "tools/call": () => said("x".repeat(300_000)) },
      server: { limits: { messageBytes: 100_000 } },
    });
    expect(results[0]?.status).toBe("failure");
    expect(states.find(({ name }) => name === "evil")?.reason ?? results[0]?.content).toContain(
      "more than 100000 bytes",
    );
  });
});

function schemaWith(properties: object) {
  return { type: "object", properties };
}

function notice(method: string, params: object) {
  return { jsonrpc: "2.0", method, params };
}

describe("a tool of 2026-07-28 whose arguments name no header", () => {
  it("is left out and told, and nothing of it is written to the terminal of the host", async () => {
    const { fetch: handle } = createMcpHandler(() => {
      const server = new McpServer({ name: "evil", version: "1" });
      const inputSchema = z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) });
      server.registerTool("odd", { inputSchema }, () => ({ content: [] }));
      server.registerTool("echo", {}, () => ({ content: [] }));
      return server;
    });
    const written = (["log", "warn", "error", "info", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    const connector = http({
      url: "http://localhost/mcp",
      async fetch(url, init) {
        const answer = await handle(new Request(url, init));
        const odd = new TransformStream<string, string>({
          transform(text, controller) {
            controller.enqueue(text.replaceAll('"x-mcp-header":"Region"', '"x-mcp-header":"\\u001b[2J"'));
          },
        });
        const body = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(odd);
        return new Response(body?.pipeThrough(new TextEncoderStream()) ?? null, answer);
      },
    });
    await using servers = mcp({ servers: { evil: { connector } } });
    const [state] = await servers.connect();
    const lines = written.flatMap(({ mock }) => mock.calls);
    vi.restoreAllMocks();
    expect(state).toMatchObject({ protocol: "2026-07-28", tools: ["evil__echo"] });
    expect(state?.problems).toEqual([expect.stringContaining("x-mcp-header that names no header")]);
    expect(lines).toEqual([]);
  });
});
