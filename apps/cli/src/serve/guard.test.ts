import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { nodeListener } from "@cogency/server/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../base/errors/usage-error.ts";
import { createBrowserSession } from "./browser-session.ts";
import { createGuard } from "./guard.ts";
import { listen } from "./listen.ts";

/** A guarded server on loopback, what its API was asked, and how to ask it. */
async function site() {
  const { server, host } = await listen();
  onTestFinished(() => void server.close());
  const session = createBrowserSession(host.replace(/.*:/, ""));
  const token = session.newToken();
  const asked: string[] = [];
  const api = async ({ method, url, headers }: Request) => {
    asked.push(`${method} ${new URL(url).pathname.slice(session.path.length)}`);
    const isStream = headers.get("accept") === "text/event-stream";
    return new Response("data: private\n\n", {
      headers: { "content-type": isStream ? "text/event-stream" : "text/plain" },
    });
  };
  const page = { html: "<p>private</p>", policy: "default-src 'none'; script-src 'sha256-x'" };
  let entered = 0;
  const onEntered = () => void entered++;
  server.on("request", nodeListener(createGuard({ host, session, page, api, onEntered })));
  const origin = `http://${host}`;

  async function ask(method: string, path: string, headers: OutgoingHttpHeaders = {}) {
    const sent = request(`${origin}${path}`, { method, headers, agent: false }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }
  const enter = async (given = token, headers: OutgoingHttpHeaders = { origin }) => {
    const answer = await ask("POST", "/session", { authorization: `Bearer ${given}`, ...headers });
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    return { ...answer, cookie: cookie.split(";")[0] ?? "" };
  };
  return { server, host, origin, session, token, asked, ask, enter, entered: () => entered };
}

describe("the server", () => {
  it("listens on 127.0.0.1 alone, and says why a port cannot be had", async () => {
    const { server, host } = await site();
    const { address, port } = server.address() as AddressInfo;
    expect([address, host]).toEqual(["127.0.0.1", `127.0.0.1:${port}`]);
    await expect(listen(port)).rejects.toThrow(UsageError);
    await expect(listen(port)).rejects.toThrow(/--port \d+ cannot be used: another program listens there/);
  });
});

describe("a browser", () => {
  it("comes in with the token, which is used once, and gets the page and its API with the cookie", async () => {
    const { session, token, asked, ask, enter, entered } = await site();
    const door = await ask("GET", "/");
    expect(door.status).toBe(200);
    for (const secret of ["private", token, session.path]) expect(door.body).not.toContain(secret);
    expect((await enter("wrong")).status).toBe(403);
    const { status, body, cookie } = await enter();
    expect([status, JSON.parse(body)]).toEqual([200, { path: session.path }]);
    const again = await enter();
    expect(again).toMatchObject({ status: 403, cookie: "", body: expect.stringMatching(/used already/) });
    expect(entered()).toBe(1);
    expect(await ask("GET", `${session.path}/`, { cookie })).toMatchObject({ status: 200, body: "<p>private</p>" });
    expect(await ask("GET", `${session.path}/api/x`, { cookie })).toMatchObject({ status: 200 });
    expect(asked).toEqual(["GET /api/x"]);
  });

  it("without the cookie, or without the path, gets nothing private; a person gets the entrance", async () => {
    const { session, asked, ask, enter } = await site();
    const { cookie } = await enter();
    for (const [path, sent] of [
      [`${session.path}/`, ""],
      [`${session.path}/api/x`, "cogency=1"],
      ["/api/x", cookie],
      ["/x/api/x", cookie],
      ["//x", cookie],
      [`/x/..${session.path}x/`, cookie],
    ] as const) {
      expect(await ask("GET", path, { cookie: sent })).toMatchObject({
        status: 401,
        body: expect.stringMatching("unauthorized"),
      });
      const page = await ask("GET", path, { cookie: sent, accept: "text/html,*/*" });
      expect(page).toMatchObject({ status: 401, body: expect.stringMatching("where cogency open runs") });
    }
    expect(asked).toEqual([]);
  });

  it("keeps every response to itself", async () => {
    const { session, ask, enter } = await site();
    const { cookie, headers } = await enter();
    const responses = [
      headers,
      (await ask("GET", "/")).headers,
      (await ask("GET", "/nothing")).headers,
      (await ask("GET", `${session.path}/`, { cookie })).headers,
      (await ask("GET", `${session.path}/api/x`, { cookie })).headers,
    ];
    for (const one of responses) {
      expect(one).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(one).not.toHaveProperty("access-control-allow-origin");
    }
  });
});

describe("a stranger", () => {
  it("gets nothing for a token in a query, in a cookie or in a body, and does not use it up", async () => {
    const { host, origin, token, ask, enter, entered } = await site();
    const attempts = [
      await ask("GET", `/?token=${token}`),
      await ask("GET", `/session?token=${token}`),
      await ask("POST", `/session?token=${token}`, { origin }),
      await ask("POST", "/session", { origin, cookie: `token=${token}; cogency-${host.replace(/.*:/, "")}=${token}` }),
      await ask("POST", "/session", { origin, authorization: `Basic ${token}` }),
    ];
    for (const { status, headers, body } of attempts) {
      expect(headers).not.toHaveProperty("set-cookie");
      expect([status === 200 && body.includes("private"), body.includes(token)]).toEqual([false, false]);
    }
    const guesses = Array.from({ length: 100 }, (_, guess) => `${token.slice(0, 42)}${guess}`);
    for (const guess of guesses.filter((text) => text !== token)) expect((await enter(guess)).status).toBe(403);
    expect([entered(), (await enter()).status]).toEqual([0, 200]);
  });

  it("finds nothing beside the path of the session, however the path is written", async () => {
    const { session, asked, ask, enter } = await site();
    const { cookie } = await enter();
    const { path } = session;
    for (const odd of [
      `${path}%2f`,
      `${path}%2fapi/x`,
      `${path}%00/api/x`,
      `${path}\\..\\api/x`,
      `${path}/../api/x`,
      `${path}/%2e%2e/api/x`,
      `/${path}/`,
      path.toUpperCase(),
      `${path};/api/x`,
      `/${"x".repeat(15_000)}`,
    ]) {
      const { status, body } = await ask("GET", odd, { cookie });
      expect([odd.slice(0, 80), [400, 401].includes(status ?? 0), body.includes("private")]).toEqual([
        odd.slice(0, 80),
        true,
        false,
      ]);
    }
    expect(asked).toEqual([]);
    expect((await ask("GET", `/${"x".repeat(20_000)}`, { cookie })).status).toBe(431);
  });

  it("cannot post a form of another site, whatever its type is", async () => {
    const { session, asked, ask, enter } = await site();
    const { cookie } = await enter();
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
      for (const from of [{ origin: "https://evil.example" }, { origin: "null" }, {}])
        for (const path of [`${session.path}/api/conversations/a/messages`, "/session"])
          expect((await ask("POST", path, { cookie, "content-type": type, ...from })).status).toBe(403);
    expect(asked).toEqual([]);
  });
});

describe("a page elsewhere, even with the cookie and the path,", () => {
  const elsewhere: [what: string, status: number, headers: OutgoingHttpHeaders][] = [
    ["of another site", 403, { origin: "https://evil.example" }],
    ["on another port", 403, { origin: "http://127.0.0.1:1" }],
    ["of the same port under TLS", 403, { origin: "https://HOST" }],
    ["under the name localhost", 403, { origin: "http://localhost:PORT" }],
    ["in a sandboxed frame", 403, { origin: "null" }],
    ["that the browser knows as another site", 403, { origin: "http://HOST", "sec-fetch-site": "cross-site" }],
    ["that the browser knows as another port", 403, { origin: "http://HOST", "sec-fetch-site": "same-site" }],
    ["under a name that leads here", 421, { host: "evil.example:PORT", origin: "http://evil.example:PORT" }],
    ["under a name that leads here, as if it were this page", 421, { host: "evil.example", origin: "http://HOST" }],
    ["under the right name with another port", 421, { host: "127.0.0.1:1" }],
  ];

  it.each(elsewhere)("%s posts nothing, reads nothing and follows nothing", async (_, status, given) => {
    const { host, session, asked, ask, enter } = await site();
    const { cookie } = await enter();
    const port = host.replace(/.*:/, "");
    const filled = Object.entries(given).map(([name, value]) => [
      name,
      `${value}`.replace("HOST", host).replace("PORT", port),
    ]);
    const headers = { cookie, ...Object.fromEntries(filled) };
    const path = `${session.path}/api/conversations/a`;
    const answers = [
      await ask("POST", `${path}/messages`, { "content-type": "application/json", ...headers }),
      await ask("GET", `${path}/events`, { accept: "text/event-stream", ...headers }),
      await ask("GET", `${session.path}/`, headers),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.body).not.toContain("private");
    }
    expect(asked).toEqual([]);
  });

  it("cannot use the token", async () => {
    const { enter, host } = await site();
    expect((await enter(undefined, { origin: "http://127.0.0.1:1" })).status).toBe(403);
    expect((await enter(undefined, { origin: `http://${host}`, "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await enter(undefined, {})).status).toBe(403);
    expect((await enter()).status).toBe(200);
  });

  it("posts nothing without an origin, as no browser does", async () => {
    const { session, asked, ask, enter } = await site();
    const { cookie } = await enter();
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      expect((await ask(method, `${session.path}/api/x`, { cookie })).status).toBe(403);
    expect(asked).toEqual([]);
  });
});
