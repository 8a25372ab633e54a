import { defineTool } from "@cogency/tools";
import { describe, expect, it, vi } from "vitest";
import { answerOf, call, initialize, rawClient, request, streamed } from "../../../test/server/raw-client.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { mcpHost, mcpServer } from "../index.ts";

const asUser = (user: string) => ({ authorization: user });
const users = ["ada", "eve"];
function authenticate({ headers }: Request) {
  const user = headers.get("authorization") ?? "";
  return users.includes(user) ? { user, scopes: user === "ada" ? ["tools"] : [] } : undefined;
}
const protectedResource = {
  resource: "https://tools.example.com/mcp",
  authorizationServers: ["https://login.example.com"],
  scopes: ["tools"],
};

function served(more: Partial<Parameters<typeof mcpServer>[0]> = {}) {
  const probe = probeTools();
  const server = mcpServer({ tools: probe.tools, ...more });
  return { ...probe, server, client: rawClient(server) };
}

describe("who may use a server over HTTP", () => {
  it.each([
    ["another host", { host: "evil.example" }, 403],
    ["a page elsewhere", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["a page on this machine", { origin: "http://localhost:5173" }, 200],
    ["a host that it allows", { host: "tools.example.com:8443" }, 200],
    ["a page that it allows", { origin: "https://app.example.com" }, 200],
  ])("answers a request of %s", async (_, headers, status) => {
    const { client } = served({ allowedHosts: ["tools.example.com"], allowedOrigins: ["app.example.com"] });
    expect((await client.post(request("initialize", initialize()), headers)).status).toBe(status);
  });

  it("refuses a caller whom nobody knows, and says where to log in", async () => {
    const { client } = served({ authenticate, protectedResource });
    const response = await client.post(call("add"));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp", scope="tools"',
    );
  });

  it("refuses a caller who lacks a scope, and names it", async () => {
    const { client } = served({ authenticate, protectedResource });
    const response = await client.post(call("add"), asUser("eve"));
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer error="insufficient_scope", .*scope="tools"$/);
  });

  it("gives the metadata of the protected resource to everybody", async () => {
    const { server } = served({ authenticate, protectedResource });
    const address = "http://127.0.0.1/.well-known/oauth-protected-resource/mcp";
    expect(await (await server.handler(new Request(address))).json()).toEqual({
      resource: "https://tools.example.com/mcp",
      authorization_servers: ["https://login.example.com"],
      scopes_supported: ["tools"],
      bearer_methods_supported: ["header"],
    });
  });

  it("lets a page that it allows ask before it sends, and read the answer", async () => {
    const { client } = served({ authenticate, allowedOrigins: ["app.example.com"] });
    const page = { origin: "https://app.example.com" };
    const asked = await client.send("OPTIONS", undefined, page);
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, page.origin]);
    const refused = await client.post(call("add"), page);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, page.origin]);
    const elsewhere = await client.send("OPTIONS", undefined, { origin: "https://evil.example" });
    expect([elsewhere.status, elsewhere.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  it("tells nothing of an error of `authenticate`, which the host hears", async () => {
    const onError = vi.fn();
    const failing = () => {
      throw new Error("the key is hunter2");
    };
    const { client } = served({ authenticate: failing, onError });
    const response = await client.post(call("add"));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
    expect(onError).toHaveBeenCalledWith(new Error("the key is hunter2"));
  });

  it("tells tools whose call it is", async () => {
    const whoami = defineTool({
      name: "whoami",
      description: "Says who calls.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      execute: (_, context) => `${context.user} ${mcpHost(context)?.scopes.join()} ${mcpHost(context)?.client?.name}`,
    });
    const client = rawClient(mcpServer({ tools: [whoami], authenticate }), asUser("ada"));
    const { result } = await client.modern("tools/call", { name: "whoami", arguments: {} });
    expect(result.content[0].text).toBe("ada tools raw");
    const here = await client.session();
    const inSession = await answerOf(await client.post(call("whoami"), here));
    expect(inSession.result.content[0].text).toBe("ada tools raw");
  });
});

describe("a session", () => {
  it("belongs to its user: for another one it does not exist", async () => {
    const { client, ran } = served({ authenticate });
    const here = await client.session({}, asUser("ada"));
    const response = await client.post(call("add", { a: 1, b: 2 }), { ...here, ...asUser("eve") });
    expect(response.status).toBe(404);
    expect((await client.send("DELETE", undefined, { ...here, ...asUser("eve") })).status).toBe(404);
    expect(ran).toEqual([]);
    expect((await client.post(request("ping"), here)).status).toBe(200);
  });

  it("ends when its client deletes it", async () => {
    const { client } = served();
    const here = await client.session();
    expect((await client.send("DELETE", undefined, here)).status).toBe(200);
    expect((await client.post(request("ping"), here)).status).toBe(404);
  });

  it("ends when nobody uses it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { client } = served({ limits: { idle: 60_000 } });
      const here = await client.session();
      await vi.advanceTimersByTimeAsync(59_000);
      await (await client.post(request("ping"), here)).text();
      await vi.advanceTimersByTimeAsync(59_000);
      expect((await client.post(request("ping"), here)).status).toBe(200);
      await vi.advanceTimersByTimeAsync(61_000);
      expect((await client.post(request("ping"), here)).status).toBe(404);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["of one user", { sessionsPerUser: 2 }, 429],
    ["in all", { sessions: 2 }, 503],
  ])("is refused above the limit %s while the others are in use", async (_, limits, status) => {
    const { client, server } = served({ limits });
    const [one, other] = [await client.session(), await client.session()];
    const streams = await Promise.all([one, other].map((here) => client.send("GET", undefined, here)));
    const begin = () => client.post(request("initialize", initialize()));
    const refused = await begin();
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([status, true]);
    await streams[0]?.body?.cancel();
    expect((await begin()).status).toBe(200);
    await server.close();
  });

  it("takes the place of the one that its user has left alone for the longest", async () => {
    const { client } = served({ limits: { sessionsPerUser: 2 } });
    const [one, other] = [await client.session(), await client.session()];
    await (await client.post(request("ping"), one)).text();
    await client.session();
    expect((await client.post(request("ping"), other)).status).toBe(404);
    expect((await client.post(request("ping"), one)).status).toBe(200);
  });

  it("lets a client that has lost its stream resume it where it was", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = defineTool({
      name: "slow",
      description: "Waits.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      async *execute() {
        yield "begun";
        await gate.promise;
        yield "almost";
        return "done";
      },
    });
    const client = rawClient(mcpServer({ tools: [slow] }));
    const here = await client.session();
    const params = { name: "slow", arguments: {}, _meta: { progressToken: 1 } };
    const events = streamed(await client.post(request("tools/call", params, 5), here));
    await events.next();
    const { value } = await events.next();
    expect(value).toMatchObject({ params: { message: "begun" } });
    await events.return(undefined);
    gate.resolve();
    const resumed = await client.send("GET", undefined, { ...here, "last-event-id": value?.eventId ?? "" });
    const rest = [];
    for await (const { params, result } of streamed(resumed)) {
      rest.push(
        (params as { message?: string })?.message ?? (result as { content: { text: string }[] }).content[0]?.text,
      );
    }
    expect(rest).toEqual(["almost", "done"]);
  });

  it("is not needed: a client may ask without one", async () => {
    const { client } = served();
    const { result } = await answerOf(await client.post(call("add", { a: 1, b: 2 })));
    expect(result.content[0].text).toBe("3");
  });

  it("is not given where the host wants none", async () => {
    const { client } = served({ sessions: false });
    const response = await client.post(request("initialize", initialize()));
    expect([response.status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
  });
});
