import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { json, type LoginServers, loginServers, willing } from "../../../test/support/login-servers.ts";
import type { Consent } from "./consent.ts";
import { isLoginError, loginErrorIn } from "./login-error.ts";
import { memoryTokens } from "./memory-tokens.ts";
import { type OAuthLogin, oauth } from "./oauth.ts";

/** What one of the two servers does, what it looks like to the person, and what must never be asked afterwards. */
interface Attack {
  name: string;
  attack(servers: LoginServers, elsewhere: LoginServers): void;
  code: string;
  never?: string;
  consent?: Consent;
}

const attacks: Attack[] = [
  {
    name: "metadata of the server are at another host",
    attack(servers, elsewhere) {
      const metadata = elsewhere.url.replace("/mcp", "/.well-known/oauth-protected-resource");
      servers.instead.set("/mcp", (_, response) =>
        json(response, 401, {}, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }),
      );
    },
    code: "wrong_server",
    never: "/register",
  },
  {
    name: "metadata of the server redirect to another host",
    attack(servers, elsewhere) {
      const target = elsewhere.url.replace("/mcp", "/.well-known/oauth-protected-resource");
      servers.instead.set(
        "/.well-known/oauth-protected-resource/mcp",
        (_, response) => void response.writeHead(302, { location: target }).end(),
      );
    },
    code: "wrong_server",
    never: "/register",
  },
  {
    name: "the resource is another server",
    attack(servers, elsewhere) {
      servers.resource.resource = elsewhere.url;
    },
    code: "wrong_server",
    never: "/register",
  },
  {
    name: "the resource is another path of the same host",
    attack(servers) {
      servers.resource.resource = `${servers.url}/other`;
    },
    code: "wrong_server",
    never: "/register",
  },
  {
    name: "the metadata name another issuer",
    attack(servers, elsewhere) {
      servers.metadata.issuer = elsewhere.issuer;
    },
    code: "wrong_server",
    never: "/register",
  },
  {
    name: "the token endpoint is not https",
    attack(servers) {
      servers.metadata.token_endpoint = "http://login.example.com/token";
    },
    code: "wrong_server",
    never: "/register",
  },
  ...[
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "ms-settings:privacy",
    "http://login.example.com/",
  ].map(
    (address): Attack => ({
      name: `the page of the login is ${address}`,
      attack(servers) {
        servers.metadata.authorization_endpoint = address;
      },
      code: address.startsWith("javascript") || address.startsWith("data") ? "bad_answer" : "wrong_server",
      never: "/register",
    }),
  ),
  {
    name: "the authorization server does not know PKCE",
    attack(servers) {
      delete servers.metadata.code_challenge_methods_supported;
    },
    code: "unsupported",
    never: "/register",
  },
  {
    name: "there are no metadata of the authorization server",
    attack(servers) {
      servers.instead.set("/.well-known/oauth-authorization-server", (_, response) => json(response, 404, {}));
    },
    code: "unsupported",
    never: "/register",
  },
  {
    name: "metadata are 10 MB",
    attack: (servers) => void servers.instead.set("/.well-known/oauth-authorization-server", tenMegabytes),
    code: "bad_answer",
    never: "/register",
  },
  {
    name: "the metadata of the server are 10 MB",
    attack: (servers) => void servers.instead.set("/.well-known/oauth-protected-resource/mcp", tenMegabytes),
    code: "bad_answer",
    never: "/register",
  },
  {
    name: "the token endpoint answers with 10 MB",
    attack: (servers) => void servers.instead.set("/token", tenMegabytes),
    code: "bad_answer",
  },
  {
    name: "the token endpoint answers with a page",
    attack: (servers) =>
      void servers.instead.set(
        "/token",
        (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      ),
    code: "bad_answer",
  },
  {
    name: "the token endpoint redirects to another host",
    attack: (servers, elsewhere) =>
      void servers.instead.set(
        "/token",
        (_, response) => void response.writeHead(307, { location: `${elsewhere.issuer}/token` }).end(),
      ),
    code: "wrong_server",
  },
  {
    name: "the token breaks out of its header",
    attack: (servers) =>
      void servers.instead.set("/token", (_, response) =>
        json(response, 200, { access_token: "a\r\nx-evil: 1", token_type: "Bearer" }),
      ),
    code: "bad_answer",
  },
  {
    name: "the token is of another type",
    attack: (servers) =>
      void servers.instead.set("/token", (_, response) =>
        json(response, 200, { access_token: "a", token_type: "MAC" }),
      ),
    code: "bad_answer",
  },
  {
    name: "the registration repeats what it was sent, with a secret",
    attack: (servers) =>
      void servers.instead.set("/register", (_, response) => json(response, 400, { error: "s3cret-token" })),
    code: "bad_answer",
  },
  {
    name: "the registration redirects without an end",
    attack: (servers) =>
      void servers.instead.set(
        "/register",
        (_, response) => void response.writeHead(307, { location: `${servers.issuer}/register` }).end(),
      ),
    code: "bad_answer",
  },
  {
    name: "the answer names another issuer, as in a mix-up",
    attack(servers, elsewhere) {
      servers.callback = { iss: elsewhere.issuer };
    },
    code: "wrong_server",
    never: "/token",
  },
  {
    name: "the issuer that was promised is missing in the answer",
    attack(servers) {
      servers.metadata.authorization_response_iss_parameter_supported = true;
    },
    code: "wrong_server",
    never: "/token",
  },
  {
    name: "an error of another issuer comes back",
    attack(servers, elsewhere) {
      servers.callback = { error: "access_denied", error_description: "s3cret-token", iss: elsewhere.issuer };
    },
    code: "wrong_server",
    never: "/token",
  },
  {
    name: "the state belongs to another login",
    attack(servers) {
      servers.callback = { state: "of-another-login" };
    },
    code: "wrong_server",
    never: "/token",
  },
  {
    name: "two codes come back",
    attack() {},
    consent: {
      redirectUrl: "http://127.0.0.1:51234/callback",
      async authorize(address) {
        return new URLSearchParams(`code=a&code=b&state=${address.searchParams.get("state")}`);
      },
    },
    code: "bad_answer",
    never: "/token",
  },
  {
    name: "a code of another login is put in",
    attack() {},
    consent: {
      redirectUrl: "http://127.0.0.1:51234/callback",
      async authorize(address) {
        return new URLSearchParams(`code=injected&state=${address.searchParams.get("state")}`);
      },
    },
    code: "refused",
  },
];

function tenMegabytes(_: unknown, response: import("node:http").ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`{"padding":"${"x".repeat(10_000_000)}"}`);
}

describe("a login ends with an error, and nothing goes elsewhere, when", () => {
  it.each(attacks)("$name", async ({ attack, code, never, consent = willing() }) => {
    const [servers, elsewhere] = [await loginServers(), await loginServers()];
    attack(servers, elsewhere);
    const store = memoryTokens();
    const login = oauth({ server: servers.url, store });
    const failure = await login.login(consent).catch((error: unknown) => error);
    expect(isLoginError(failure) && failure.code, String(failure)).toBe(code);
    expect(String(failure)).not.toMatch(/s3cret|injected|access-|refresh-/);
    expect((await login.status()).isLoggedIn).toBe(false);
    expect(elsewhere.asked).toEqual([]);
    if (never !== undefined) expect(servers.asked.filter(({ path }) => path === never)).toEqual([]);
  });

  it("a server of the internet sends the login to this machine or its network", async () => {
    const requests: string[] = [];
    for (const issuer of [
      "http://127.0.0.1:1",
      "https://169.254.169.254",
      "https://10.0.0.1",
      "https://[::ffff:127.0.0.1]",
      "https://metadata.internal",
    ]) {
      const login = oauth({
        server: "https://mcp.example.com/mcp",
        store: memoryTokens(),
        fetch: async (address) => {
          requests.push(new URL(address).hostname);
          const isResource = String(address).includes("oauth-protected-resource");
          if (!isResource) return new Response(null, { status: 401 });
          return Response.json({ resource: "https://mcp.example.com/mcp", authorization_servers: [issuer] });
        },
      });
      await expect(login.login(willing()), issuer).rejects.toMatchObject({ code: "wrong_server" });
    }
    expect(new Set(requests)).toEqual(new Set(["mcp.example.com"]));
  });
});

describe("a server that somebody is logged in at", () => {
  async function loggedIn(
    servers: LoginServers,
    consent?: Consent,
    store = memoryTokens(),
  ): Promise<[Client, OAuthLogin]> {
    const login = oauth({ server: servers.url, store, scope: "read", ...(consent && { consent }) });
    await login.login(willing());
    const client = new Client({ name: "test", version: "1" });
    onTestFinished(() => client.close());
    const transport = new StreamableHTTPClientTransport(new URL(servers.url), {
      authProvider: login,
      fetch: login.around(fetch),
    });
    await client.connect(transport as never);
    return [client, login];
  }

  const call = (client: Client) =>
    client.callTool({ name: "any", arguments: {} }).then(String, (error: unknown) => error);

  it("cannot redirect the token to another host", async () => {
    const [servers, elsewhere] = [await loginServers(), await loginServers()];
    const [client] = await loggedIn(servers);
    servers.instead.set("/mcp", (_, response) => void response.writeHead(307, { location: elsewhere.url }).end());
    expect(await call(client)).toBeInstanceOf(Error);
    expect(elsewhere.asked).toEqual([]);
  });

  it("cannot have the token sent elsewhere by a transport", async () => {
    const [servers, elsewhere] = [await loginServers(), await loginServers()];
    const [, login] = await loggedIn(servers);
    const headers = { authorization: `Bearer ${await login.token()}` };
    await expect(login.around(fetch)(elsewhere.url, { headers })).rejects.toMatchObject({ code: "wrong_server" });
    expect(elsewhere.asked).toEqual([]);
  });

  it("is asked twice at most for one request, if it refuses each token", async () => {
    const servers = await loginServers();
    const [client] = await loggedIn(servers);
    const before = servers.asked.length;
    servers.instead.set("/mcp", (_, response) => void response.writeHead(401).end());
    expect(await call(client)).toBeInstanceOf(Error);
    expect(servers.asked.slice(before).filter(({ body }) => body.includes("tools/call"))).toHaveLength(2);
  });

  it("sends a person to the browser three times a minute at most", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    const [client] = await loggedIn(servers, willing(opened));
    servers.instead.set("/mcp", (_, response) => void response.writeHead(401).end());
    servers.instead.set("/token", (asked, response) =>
      asked.body.includes("refresh")
        ? json(response, 400, { error: "invalid_grant" })
        : json(response, 200, { access_token: crypto.randomUUID(), refresh_token: "r", token_type: "Bearer" }),
    );
    for (let tries = 0; tries < 6; tries++) await call(client);
    expect(opened).toHaveLength(3);
  });

  it("cannot ask for new scopes without an end", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    const [client] = await loggedIn(servers, willing(opened));
    let scopes = 0;
    servers.instead.set("/mcp", (_, response) => {
      const challenge = `Bearer error="insufficient_scope", scope="scope-${++scopes}"`;
      json(response, 403, {}, { "www-authenticate": challenge });
    });
    expect(loginErrorIn(await call(client))).toMatchObject({ code: "refused" });
    expect(opened).toHaveLength(2);
  });

  it("cannot make the kept logins grow by asking for other scopes each time", async () => {
    const servers = await loginServers();
    const store = memoryTokens();
    const [client] = await loggedIn(servers, undefined, store);
    let asked = 0;
    servers.instead.set("/mcp", (_, response) => {
      const scope = `${"x".repeat(1000)}-${++asked}`;
      json(response, 403, {}, { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` });
    });
    const codes: unknown[] = [];
    for (let tries = 0; tries < 8; tries++) codes.push(loginErrorIn(await call(client))?.code);
    expect(codes).toContain("refused");
    expect(JSON.stringify(await store.load({ server: servers.url })).length).toBeLessThan(6000);
  });

  it("cannot make a login grow by what it registers", async () => {
    const servers = await loginServers();
    servers.instead.set("/register", ({ body }, response) =>
      json(response, 201, { ...JSON.parse(body), client_id: "x".repeat(100_000) }),
    );
    const login = oauth({ server: servers.url, store: memoryTokens() });
    await expect(login.login(willing())).rejects.toMatchObject({ code: "bad_answer" });
  });

  it("cannot ask for a scope that the login has", async () => {
    const servers = await loginServers();
    const opened: URL[] = [];
    const [client] = await loggedIn(servers, willing(opened));
    const challenge = 'Bearer error="insufficient_scope", scope="read"';
    servers.instead.set("/mcp", (_, response) => json(response, 403, {}, { "www-authenticate": challenge }));
    expect(loginErrorIn(await call(client))).toMatchObject({ code: "refused" });
    expect(opened).toEqual([]);
  });

  it("is not heard if its challenge is too long, or no list of scopes", async () => {
    const servers = await loginServers();
    const [client] = await loggedIn(servers);
    for (const scope of ["x".repeat(10_000), "a\tb", "  "]) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      servers.instead.set("/mcp", (_, response) => json(response, 403, {}, { "www-authenticate": challenge }));
      expect(loginErrorIn(await call(client))).toBeUndefined();
    }
  });

  it("reads nothing of a token in the message of a login that cannot be renewed", async () => {
    const servers = await loginServers();
    const [client] = await loggedIn(servers);
    servers.tokens.clear();
    servers.instead.set("/token", (asked, response) =>
      json(response, 400, { error: "invalid_request", error_description: asked.body }),
    );
    const failure = await call(client);
    expect(loginErrorIn(failure)).toMatchObject({ code: "refused", reason: "invalid_request" });
    expect(JSON.stringify([String(failure), failure])).not.toMatch(/refresh-|access-/);
  });
});
