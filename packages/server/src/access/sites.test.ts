import { describe, expect, it } from "vitest";
import { read, reading, site } from "../../test/support/site.ts";
import type { Authenticate } from "../user.ts";

const own = "http://server.test";
const friend = "https://app.example";

/** The user is known by a cookie, which a browser sends also when another page asks. */
const byCookie: Authenticate = ({ headers }) => (headers.get("cookie") === "session=1" ? { id: "ada" } : undefined);
const cookie = { cookie: "session=1" };

function open() {
  const made = site({ authenticate: byCookie, origins: [friend] });
  const key = { conversation: "notes", user: "ada" };
  return { ...made, key };
}

/** A request of each kind, with these headers and the cookie. */
async function everything({ ask, post }: Pick<ReturnType<typeof site>, "ask" | "post">, headers: object) {
  const sent = { ...cookie, ...headers };
  const events = await ask("/conversations/notes/events", { headers: sent });
  if (events.ok) await reading(events).leave();
  const responses = [
    events,
    await ask("/conversations", { headers: sent }),
    await ask("/conversations/notes/messages", { headers: sent }),
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "hi" }, sent),
    await post("/conversations/notes/fork", {}, sent),
    await ask("/conversations/notes", { headers: sent }),
  ];
  return responses.map(({ status }) => status);
}

describe("a page of another site", () => {
  it.each([
    ["posts or reads with fetch", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["of the same site asks", { "sec-fetch-site": "same-site", origin: "http://other.server.test" }],
    ["opens an address in a frame, as a picture or as a script", { "sec-fetch-site": "cross-site" }],
    ["asks from a browser that does not send Sec-Fetch-Site", { origin: "https://evil.example" }],
    ["hides its origin", { origin: "null" }],
    ["comes from another port", { origin: "http://server.test:8080" }],
    ["has a name that begins like this server's", { origin: "http://server.test.evil.example" }],
    ["has a name that begins like a listed one", { origin: `${friend}.evil.example` }],
    ["has the scheme that a listed origin has not", { origin: "http://app.example" }],
    ["has an origin that is none", { origin: "server.test" }],
    ["has an origin without a host", { origin: "data:,x" }],
  ])("that %s is refused at every address, though the browser sends the cookie", async (_, headers) => {
    const { store, key, ...made } = open();
    await store.append(key, [{ type: "user", content: "canary", timestamp: 1 }]);
    expect(await everything(made, headers)).toEqual([403, 403, 403, 403, 403, 403]);
    const refused = await read(made.ask("/conversations", { headers: { ...cookie, ...headers } }));
    expect(refused).toMatchObject({ body: { code: "cross_site" } });
    expect(Object.keys(refused.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect([await store.inbox(key), await store.conversations({ user: "ada" })]).toMatchObject([[], [{}]]);
  });

  it("cannot post a form, which needs no preflight", async () => {
    const { store, key, post } = open();
    const body = '{"id":"1","kind":"prompt","content":"=x"}';
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect((await post("/conversations/notes/messages", body, { ...cookie, "content-type": type })).status).toBe(415);
    expect(await store.inbox(key)).toEqual([]);
  });

  it("gets no answer to its preflight", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const refused = await read(open().ask("/conversations/notes/messages", { method: "OPTIONS", headers }));
    expect(refused.status).toBe(403);
    expect(Object.keys(refused.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a page of the server itself", () => {
  it.each([
    ["in a browser of today", { "sec-fetch-site": "same-origin", origin: own }],
    ["when it reads", { "sec-fetch-site": "same-origin" }],
    ["in an older browser", { origin: own }],
    ["behind a proxy that ends TLS and passes Host on", { origin: "https://public.example", host: "public.example" }],
    ["behind a proxy that also names the port", { origin: "https://public.example", host: "Public.example:443" }],
    ["in a program that is no browser", {}],
  ])("is answered %s", async (_, headers) => {
    const { store, key, ...made } = open();
    await store.append(key, [{ type: "user", content: "one", timestamp: 1 }]);
    expect(await everything(made, headers)).toEqual([200, 200, 200, 202, 201, 200]);
    const { headers: answered } = await read(made.ask("/conversations", { headers: { ...cookie, ...headers } }));
    expect(Object.keys(answered).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("is refused behind a proxy that changes Host, and the answer says so", async () => {
    const { post } = open();
    const headers = { ...cookie, "sec-fetch-site": "same-origin", origin: "http://localhost:5173" };
    const refused = await read(post("/conversations/notes/messages", { id: "1", kind: "cancel" }, headers));
    expect(refused).toMatchObject({
      status: 403,
      body: { code: "cross_site", message: expect.stringContaining("A proxy has changed `Host`") },
    });
  });

  it("may be opened by its address, which cannot post", async () => {
    const { ask, post } = open();
    const typed = { ...cookie, "sec-fetch-site": "none" };
    expect((await ask("/conversations", { headers: typed })).status).toBe(200);
    expect((await post("/conversations/notes/messages", { id: "1", kind: "cancel" }, typed)).status).toBe(403);
  });
});

describe("a page of a listed origin", () => {
  const headers = { "sec-fetch-site": "cross-site", origin: friend };

  it("may ask for everything, with the cookie, and read each answer, refusals included", async () => {
    const { store, key, ...made } = open();
    await store.append(key, [{ type: "user", content: "one", timestamp: 1 }]);
    expect(await everything(made, headers)).toEqual([200, 200, 200, 202, 201, 200]);
    const events = await made.ask("/conversations/notes/events", { headers: { ...cookie, ...headers } });
    const refused = await made.ask("/conversations", { headers });
    expect(refused.status).toBe(401);
    for (const response of [events, refused]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": friend,
        "access-control-allow-credentials": "true",
        vary: "origin",
      });
    }
    await reading(events).leave();
  });

  it("gets an answer to its preflight, without a cookie", async () => {
    const asking = {
      ...headers,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-token",
    };
    const response = await open().ask("/conversations/notes/messages", { method: "OPTIONS", headers: asking });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": friend,
      "access-control-allow-methods": "GET, POST, PATCH, DELETE",
      "access-control-allow-headers": "content-type,x-token",
    });
  });

  it.each(["*", "null", "https://*.example", "app.example", "https://app.example/", "https://App.example", ""])(
    "cannot be listed as %j",
    (origin) => {
      expect(() => site({ origins: [friend, origin] })).toThrow(
        expect.objectContaining({
          code: "invalid_option",
          message: expect.stringContaining("name each origin, such as https"),
        }),
      );
    },
  );
});
