import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LoginServers, loginServers, willing } from "../../../test/support/login-servers.ts";
import { loginErrorIn } from "./login-error.ts";
import { memoryTokens } from "./memory-tokens.ts";
import { type OAuthLogin, oauth } from "./oauth.ts";
import type { OAuthOptions } from "./oauth-options.ts";

function loginAt(servers: LoginServers, options: Partial<OAuthOptions> = {}): OAuthLogin {
  return oauth({ server: servers.url, store: memoryTokens(), ...options });
}

async function connected(servers: LoginServers, login: OAuthLogin): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const options = { authProvider: login, fetch: login.around(fetch) };
  await client.connect(new StreamableHTTPClientTransport(new URL(servers.url), options) as never);
  return client;
}

const call = (client: Client) => client.callTool({ name: "any", arguments: {} });

function asked(servers: LoginServers, path: string): number {
  return servers.asked.filter((each) => each.path === path).length;
}

describe("a login", () => {
  it("lets a person log in, and puts the token into the requests of the server", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    await login.login(willing());
    const client = await connected(servers, login);
    await expect(call(client)).resolves.toMatchObject({ content: [{ text: "done" }] });
    expect(await login.status()).toMatchObject({ isLoggedIn: true, issuer: servers.issuer, isRenewable: true });
  });

  it("asks for the resource with PKCE, as a program that registers itself", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    await loginAt(servers, { scope: "read", client: { name: "Tester" } }).login(willing(opened));
    const query = Object.fromEntries(opened[0]?.searchParams ?? []);
    expect(query).toMatchObject({
      resource: servers.url,
      scope: "read",
      code_challenge_method: "S256",
      client_id: "registered",
    });
    const registration = JSON.parse(servers.asked.find(({ path }) => path === "/register")?.body ?? "");
    expect(registration).toMatchObject({ client_name: "Tester", redirect_uris: ["http://127.0.0.1:51234/callback"] });
    const exchange = new URLSearchParams(servers.asked.find(({ path }) => path === "/token")?.body);
    expect(exchange.get("resource")).toBe(servers.url);
  });

  it("uses the address of a document as its id where the server takes one", async () => {
    const servers = await loginServers();
    servers.metadata.client_id_metadata_document_supported = true;
    const opened: URL[] = [];
    const metadataUrl = "https://example.com/client.json";
    await loginAt(servers, { client: { metadataUrl } }).login(willing(opened));
    expect([opened[0]?.searchParams.get("client_id"), asked(servers, "/register")]).toEqual([metadataUrl, 0]);
  });

  it("sends a secret only to the issuer that the host has named", async () => {
    const servers = await loginServers();
    const client = { id: "known", secret: "s3cret", issuer: servers.issuer };
    await loginAt(servers, { client }).login(willing());
    const exchange = servers.asked.find(({ path }) => path === "/token");
    expect(exchange?.headers.authorization).toBe(`Basic ${btoa("known:s3cret")}`);

    const elsewhere = loginAt(servers, { client: { ...client, issuer: "https://login.example.com" } });
    await expect(elsewhere.login(willing())).rejects.toMatchObject({ code: "wrong_server" });
    expect(asked(servers, "/token")).toBe(1);
  });

  it("is needed, and begins with no request to the authorization server, as long as nobody asked for it", async () => {
    const servers = await loginServers();
    const failure = await connected(servers, loginAt(servers)).catch(loginErrorIn);
    expect(failure).toMatchObject({ code: "login_needed" });
    expect(servers.asked.filter(({ at }) => at === "issuer")).toEqual([]);
  });

  it("begins by itself where the host gives a consent, once for requests of the same time", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    const login = loginAt(servers, { consent: willing(opened) });
    await Promise.all([connected(servers, login), connected(servers, login)]);
    expect(opened).toHaveLength(1);
  });

  it("belongs to one server and one user", async () => {
    const servers = await loginServers();
    const store = memoryTokens();
    await loginAt(servers, { store, user: "ada" }).login(willing());
    expect((await loginAt(servers, { store, user: "ada" }).status()).isLoggedIn).toBe(true);
    expect((await loginAt(servers, { store }).status()).isLoggedIn).toBe(false);
    const other = oauth({ server: servers.url.replace("/mcp", "/other"), store, user: "ada" });
    expect((await other.status()).isLoggedIn).toBe(false);
  });

  it("leaves nothing behind if it is given up", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    const stopped = new AbortController();
    const consent = { ...willing(), authorize: async () => stopped.abort(new Error("stopped")) as never };
    await expect(login.login(consent, { signal: stopped.signal })).rejects.toThrow("stopped");
    expect([await login.status(), asked(servers, "/token")]).toEqual([{ isLoggedIn: false }, 0]);
  });

  it("is forgotten by a logout", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    await login.login(willing());
    await login.logout();
    expect([await login.status(), await login.token()]).toEqual([{ isLoggedIn: false }, undefined]);
  });
});

describe("a token that has ended", () => {
  it("is renewed when the server refuses it", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    await login.login(willing());
    const client = await connected(servers, login);
    servers.tokens.clear();
    await expect(call(client)).resolves.toMatchObject({ content: [{ text: "done" }] });
  });

  it("is renewed before it is sent, if its time is over", async () => {
    const servers = await loginServers();
    servers.expiresIn = 1;
    const login = loginAt(servers);
    await login.login(willing());
    const [first, second] = [[...servers.tokens.keys()][0], await login.token()];
    expect(second).not.toBe(first);
    expect(servers.tokens.has(second ?? "")).toBe(true);
  });

  it("is renewed once for many requests, so that the server takes no refresh token for stolen", async () => {
    const servers = await loginServers();
    const store = memoryTokens();
    const first = loginAt(servers, { store });
    await first.login(willing());
    const clients = await Promise.all([connected(servers, first), connected(servers, loginAt(servers, { store }))]);
    servers.tokens.clear();
    await Promise.all(clients.flatMap((client) => [call(client), call(client), call(client)]));
    const renewals = servers.asked.filter(({ body }) => body.includes("grant_type=refresh_token"));
    expect([renewals.length, (await first.status()).isLoggedIn]).toEqual([1, true]);
  });

  it("needs a person when it cannot be renewed, and the login is gone then", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    await login.login(willing());
    const client = await connected(servers, login);
    servers.tokens.clear();
    servers.instead.set("/token", (_, response) => void response.writeHead(400).end('{"error":"invalid_grant"}'));
    expect(await call(client).catch(loginErrorIn)).toMatchObject({ code: "login_needed" });
    expect(await login.status()).toEqual({ isLoggedIn: false });
  });

  it("stays when the authorization server is away", async () => {
    const servers = await loginServers();
    const login = loginAt(servers);
    await login.login(willing());
    const client = await connected(servers, login);
    servers.tokens.clear();
    servers.instead.set("/token", (_, response) => void response.writeHead(503).end());
    expect(await call(client).catch(loginErrorIn)).toMatchObject({ code: "unreachable" });
    servers.instead.clear();
    await expect(call(client)).resolves.toMatchObject({ content: [{ text: "done" }] });
  });

  it("is not renewed at another authorization server", async () => {
    const [servers, others] = [await loginServers(), await loginServers()];
    const login = loginAt(servers);
    await login.login(willing());
    const client = await connected(servers, login);
    servers.tokens.clear();
    servers.resource.authorization_servers = [others.issuer];
    expect(await call(client).catch(loginErrorIn)).toMatchObject({ code: "login_needed" });
    expect(asked(others, "/token")).toBe(0);
  });
});

describe("a server that wants further scopes", () => {
  it("gets them from a person, beside those that the login has", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    const login = loginAt(servers, { scope: "read", consent: willing(opened) });
    const client = await connected(servers, login);
    servers.needed = "write";
    await expect(call(client)).resolves.toMatchObject({ content: [{ text: "done" }] });
    expect(opened.map((address) => address.searchParams.get("scope"))).toEqual(["read", "read write"]);
  });

  it("waits for the next login where nobody may be asked", async () => {
    const servers = await loginServers();
    const login = loginAt(servers, { scope: "read" });
    await login.login(willing());
    const client = await connected(servers, login);
    servers.needed = "write";
    const failure = await call(client).catch(loginErrorIn);
    expect([failure?.code, failure?.message]).toEqual(["login_needed", expect.stringContaining("“write”")]);
    const opened: URL[] = [];
    await login.login(willing(opened));
    expect(opened[0]?.searchParams.get("scope")).toBe("read write");
    await expect(call(client)).resolves.toMatchObject({ content: [{ text: "done" }] });
  });
});

describe("wrong options", () => {
  const store = memoryTokens();
  it.each<[string, object]>([
    ["a server without https", { server: "http://mcp.example.com", store }],
    ["a server with a password", { server: "https://a:b@mcp.example.com", store }],
    [
      "a secret whose issuer is not named",
      { server: "https://mcp.example.com", store, client: { id: "a", secret: "b" } },
    ],
    [
      "a document about the program that is not at https",
      { server: "https://mcp.example.com", store, client: { metadataUrl: "http://a.example/b" } },
    ],
    ["no store", { server: "https://mcp.example.com" }],
    ["an unknown option", { server: "https://mcp.example.com", store, scopes: "a" }],
  ])("are refused: %s", (_, options) => {
    expect(() => oauth(options as OAuthOptions)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});
