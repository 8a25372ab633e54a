import { serve } from "@tooling/loopback";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type HttpServer, httpServer } from "../../test/support/http-server.ts";
import { mcp } from "./create-mcp.ts";
import { type HttpOptions, http } from "./http.ts";
import type { Mcp } from "./mcp.ts";
import type { McpServerOptions } from "./mcp-options.ts";

const secret = "Bearer key-of-the-host";
const opened: Mcp[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
});

function clientOf(
  { url }: Pick<HttpServer, "url">,
  options: Partial<HttpOptions> = {},
  given: Partial<McpServerOptions> = {},
) {
  const connector = http({ url, headers: { authorization: secret }, ...options });
  const servers = mcp({ servers: { docs: { connector, ...given } } });
  opened.push(servers);
  return { servers, call: () => servers.call("docs", "echo", { a: 1 }), state: () => servers.servers()[0] };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("It did not fail."),
    (error: Error & { code: string }) => error,
  );

describe("http", () => {
  it("calls a server at an address, with the headers of the host, and ends its session at the end", async () => {
    const server = await httpServer();
    server.session = "s1";
    const { servers, call, state } = clientOf(server);
    expect(await call()).toMatchObject({ value: '{"a":1}' });
    expect(state()).toMatchObject({ status: "ready", kind: "http", identity: server.url });
    await servers.close();
    expect(server.requests.every(({ headers }) => headers.authorization === secret)).toBe(true);
    expect(server.requests.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "s1" } });
  });

  it("follows no redirect to another origin, and sends nothing there", async () => {
    const other: string[] = [];
    const elsewhere = await serve((request, response) => {
      other.push(JSON.stringify(request.headers));
      response.end();
    });
    const server = await httpServer((response) => {
      response.writeHead(307, { location: `${elsewhere.url}/mcp` }).end();
      return true;
    });
    const { servers, state } = clientOf(server);
    await servers.connect();
    expect(state()).toMatchObject({ status: "waiting" });
    expect(other).toEqual([]);
  });

  it("speaks to an old server over SSE", async () => {
    const answers: Record<string, object> = {
      initialize: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "over SSE" }] },
    };
    let stream: { write(text: string): void } | undefined;
    const { url } = await serve(async (request, response) => {
      if (request.method === "GET") {
        stream = response.writeHead(200, { "content-type": "text/event-stream" });
        return void stream.write("event: endpoint\ndata: /messages\n\n");
      }
      if (request.url !== "/messages") return void response.writeHead(404).end();
      let text = "";
      for await (const chunk of request) text += chunk;
      response.writeHead(202).end();
      const { id, method } = JSON.parse(text);
      const result = answers[method];
      if (result) stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    });
    const { call, state } = clientOf({ url: `${url}/sse` });
    expect(await call()).toMatchObject({ value: "over SSE" });
    expect(state()).toMatchObject({ status: "ready", protocol: "2024-11-05" });
  });

  it("cuts an answer that is too large, and goes on with the next call", async () => {
    const server = await httpServer();
    const { servers, call } = clientOf(server, {}, { limits: { messageBytes: 5000 } });
    await servers.connect();
    server.instead = (response, { id }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "x".repeat(9000) }] } }),
      );
      return true;
    };
    expect((await failure(call())).message).toContain("more than 5000 bytes");
    server.instead = () => false;
    expect(await call()).toMatchObject({ value: '{"a":1}' });
  });

  it("cuts the connection at an event that never ends", async () => {
    const server = await httpServer();
    const { servers, call, state } = clientOf(server, {}, { limits: { messageBytes: 5000 } });
    await servers.connect();
    server.instead = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${"x".repeat(9000)}`);
      return true;
    };
    expect((await failure(call())).code).toBe("closed");
    expect(state()?.reason).toBe("It sent an event of more than 5000 bytes, so its connection was cut.");
  });

  it("begins a new session where the server has forgotten the old one, and calls once more", async () => {
    const server = await httpServer();
    server.session = "s1";
    const { call } = clientOf(server);
    await call();
    server.session = "s2";
    expect(await call()).toMatchObject({ value: '{"a":1}' });
    expect(server.requests.at(-1)?.headers["mcp-session-id"]).toBe("s2");
  });

  it("fails at once when the stream of a call ends without an answer", async () => {
    const server = await httpServer();
    const { servers, call } = clientOf(server);
    await servers.connect();
    server.instead = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
      return true;
    };
    expect(await failure(call())).toMatchObject({
      code: "closed",
      message: "The server docs ended in the middle of this call. Whether it took effect is unknown.",
    });
  });

  it("needs a login where the server says so", async () => {
    const server = await httpServer((response) => {
      response.writeHead(401).end(`wrong: ${secret}`);
      return true;
    });
    const { servers, call, state } = clientOf(server);
    await servers.connect();
    expect(state()).toMatchObject({ status: "needs_login" });
    expect(await failure(call())).toMatchObject({ code: "login_needed", message: "The server docs needs a login." });
  });

  it("repeats no words of an answer with an error, which may hold what was sent", async () => {
    const server = await httpServer();
    const { servers, call } = clientOf(server);
    await servers.connect();
    server.instead = (response, _request, headers) => {
      response.writeHead(500).end(JSON.stringify(headers));
      return true;
    };
    const error = await failure(call());
    expect(error.message).toBe("The server docs answered with HTTP 500. Whether it took effect is unknown.");
    expect(error.cause).toBeUndefined();
  });

  it("says that nothing was called where the server is gone, and tries it again later", async () => {
    const server = await httpServer();
    let isGone = false;
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const fetch: HttpOptions["fetch"] = async (url, init) => {
      if (isGone) throw new TypeError("fetch failed", { cause: refused });
      return globalThis.fetch(url, init);
    };
    const { servers, call, state } = clientOf(server, { fetch });
    await servers.connect();
    isGone = true;
    expect(await failure(call())).toMatchObject({
      code: "connect_failed",
      message: "The server docs could not be reached (ECONNREFUSED). Nothing was called.",
    });
    await vi.waitFor(() => expect(state()?.status).toBe("waiting"));
    expect(state()?.reason).toBe("The server docs could not be reached (ECONNREFUSED).");
  });

  it.each([
    ["http: to another machine", "http://mcp.example.com/", /Use https:, or set `insecure: true`/],
    ["a password", "https://ann:pw@mcp.example.com/", /Give them as `headers`/],
    ["another protocol", "ftp://mcp.example.com/", /Use https:/],
    ["what is no address", "mcp.example.com", /is no address/],
  ])("refuses %s", (_what, url, message) => {
    expect(() => http({ url })).toThrow(message);
    expect(() => http({ url })).not.toThrow(/pw/);
  });

  it("admits http: to this machine, and elsewhere if the host says so", () => {
    for (const url of ["http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]:1/"])
      expect(http({ url }).kind).toBe("http");
    expect(http({ url: "http://mcp.example.com/", insecure: true }).kind).toBe("http");
  });

  it("stands for its address, without the values in its query", () => {
    expect(http({ url: "https://a.example/mcp?key=secret&team=x#part" }).identity).toBe(
      "https://a.example/mcp?key=…&team=…",
    );
  });
});
