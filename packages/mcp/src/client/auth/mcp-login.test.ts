import { describe, expect, it, onTestFinished } from "vitest";
import { json, type LoginServers, loginServers, willing } from "../../../test/support/login-servers.ts";
import { mcp } from "../create-mcp.ts";
import { http } from "../http.ts";
import type { Mcp } from "../mcp.ts";
import { memoryTokens } from "./memory-tokens.ts";
import { type OAuthLogin, oauth } from "./oauth.ts";

function clientOf(servers: LoginServers): { client: Mcp; login: OAuthLogin } {
  const login = oauth({ server: servers.url, store: memoryTokens() });
  const client = mcp({ servers: { docs: { connector: http({ url: servers.url, auth: login }) } } });
  onTestFinished(() => client.close());
  return { client, login };
}

describe("a server of `mcp` that needs a login", () => {
  it("waits in the state `needs_login`, opens nothing, and is there after a login", async () => {
    const servers = await loginServers();
    const { client, login } = clientOf(servers);
    const [before] = await client.connect();
    expect(before).toMatchObject({ status: "needs_login", reason: expect.stringContaining("needs a login") });
    await expect(client.call("docs", "any")).rejects.toMatchObject({ code: "login_needed" });
    expect(servers.asked.filter(({ at }) => at === "issuer")).toEqual([]);

    await login.login(willing());
    expect(await client.connect()).toMatchObject([{ status: "ready", tools: ["docs__any"] }]);
    await expect(client.call("docs", "any")).resolves.toMatchObject({ value: "done" });
  });

  it("does not spread a token that it repeats", async () => {
    const servers = await loginServers();
    const { client, login } = clientOf(servers);
    await login.login(willing());
    await client.connect();
    servers.instead.set("/mcp", ({ body, token = "" }, response) => {
      const { id } = JSON.parse(body || "{}") as { id?: number };
      const content = [{ type: "text", text: `You sent ${token}` }];
      json(response, id === undefined ? 202 : 200, { jsonrpc: "2.0", id, result: { content } });
    });
    await expect(client.call("docs", "any")).resolves.toMatchObject({ value: "You sent [hidden]" });
    servers.instead.set("/mcp", ({ body, token }, response) => {
      const { id } = JSON.parse(body || "{}") as { id?: number };
      json(response, 200, { jsonrpc: "2.0", id, error: { code: -32_000, message: `bad ${token}` } });
    });
    const failure = await client.call("docs", "any").catch(String);
    expect(failure).toContain("[hidden]");
    expect(failure).not.toContain(await login.token());
  });

  it("says why a login does not work, and is not asked again by itself", async () => {
    const servers = await loginServers();
    const { client, login } = clientOf(servers);
    await login.login(willing());
    servers.tokens.clear();
    servers.resource.resource = "https://mcp.example.com/mcp";
    const [state] = await client.connect();
    expect(state).toMatchObject({
      status: "needs_login",
      reason: expect.stringContaining("asks for a login to another server"),
    });
  });

  it("takes no login of another server", async () => {
    const login = oauth({ server: "https://mcp.example.com/a", store: memoryTokens() });
    const connect = () => http({ url: "https://mcp.example.com/b", auth: login });
    expect(connect).toThrow(expect.objectContaining({ code: "invalid_option", option: "auth" }));
  });
});
