import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { json, type LoginServers, loginServers } from "../../../test/support/login-servers.ts";
import { type ClientCredentialsOptions, clientCredentials } from "./client-credentials.ts";
import type { ServerLogin } from "./server-login.ts";

async function asServer(): Promise<LoginServers> {
  const servers = await loginServers();
  servers.instead.set("/token", (_, response) => {
    const token = crypto.randomUUID();
    servers.tokens.set(token, "");
    json(response, 200, { access_token: token, token_type: "bearer", expires_in: 3600 });
  });
  return servers;
}

/** The first request of a transport, which is refused without a token. */
async function refused(servers: LoginServers, login: ServerLogin): Promise<void> {
  const response = await login.around(fetch)(servers.url, { method: "POST" });
  await login.onUnauthorized({ response });
}

describe("a login of the program itself", () => {
  it("gets a token with the secret", async () => {
    const servers = await asServer();
    const login = clientCredentials({ server: servers.url, issuer: servers.issuer, id: "robot", secret: "s3cret" });
    await refused(servers, login);
    expect(servers.tokens.has((await login.token()) ?? "")).toBe(true);
    const { headers, body } = servers.asked.find(({ path }) => path === "/token") ?? { headers: {}, body: "" };
    expect(headers.authorization).toBe(`Basic ${btoa("robot:s3cret")}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: "client_credentials",
      resource: servers.url,
    });
  });

  it("signs who it is with a key", async () => {
    const servers = await asServer();
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const login = clientCredentials({ server: servers.url, issuer: servers.issuer, id: "robot", privateKey: pem });
    await refused(servers, login);
    const body = new URLSearchParams(servers.asked.find(({ path }) => path === "/token")?.body);
    const [, claims = ""] = (body.get("client_assertion") ?? "").split(".");
    expect(JSON.parse(atob(claims))).toMatchObject({ iss: "robot", sub: "robot", aud: servers.issuer });
  });

  it("sends nothing to another issuer than the host has named", async () => {
    const servers = await asServer();
    const issuer = "https://login.example.com";
    const login = clientCredentials({ server: servers.url, issuer, id: "robot", secret: "s3cret" });
    await expect(refused(servers, login)).rejects.toMatchObject({ code: "wrong_server" });
    expect(servers.asked.some(({ path }) => path === "/token")).toBe(false);
  });

  it.each<[string, Partial<ClientCredentialsOptions>]>([
    ["neither a secret nor a key", {}],
    ["both", { secret: "a", privateKey: "b" }],
  ])("is refused with %s", (_, options) => {
    const common = { server: "https://mcp.example.com", issuer: "https://login.example.com", id: "robot" };
    expect(() => clientCredentials({ ...common, ...options })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});
