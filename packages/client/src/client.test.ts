import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, fakeServer, fakeStream } from "../test/support/fake-server.ts";
import { argsOf, type CallPart, createClient } from "./index.ts";

describe("createClient", () => {
  it.each<[string, unknown, string]>([
    ["without options", undefined, "`url`"],
    ["without an address", {}, "`url`"],
    ["for an unknown option", { url: "/api", header: {} }, "Did you mean `headers`"],
    ["for headers that are none", { url: "/api", headers: "Bearer x" }, "`headers`"],
    ["for unknown credentials", { url: "/api", credentials: "all" }, "`credentials`"],
  ])("throws %s", (_, options, message) => {
    expect(() => createClient(options as never)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => createClient(options as never)).toThrow(message);
  });

  it("asks nothing before somebody subscribes, so that it may be made on a server", () => {
    const { fetch, requests } = fakeServer(() => new Promise(() => {}));
    const client = createClient({ url: "/api", fetch });
    expect(client.conversation("c").snapshot.status).toBe("loading");
    expect(client.conversations.snapshot.status).toBe("loading");
    expect(requests).toEqual([]);
  });

  it("sends headers and credentials with each request, and names as an address has them", async () => {
    const { fetch, requests } = fakeServer(() => fakeStream().response);
    const client = createClient({ url: "/api/", fetch, headers: { "x-key": "k" }, credentials: "include" });
    onTestFinished(client.conversation("a/b ?").subscribe(() => {}));
    await expect.poll(() => requests.length).toBe(2);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      "/api/conversations/a%2Fb%20%3F/events",
      "/api/conversations/a%2Fb%20%3F",
    ]);
    for (const request of requests) {
      expect(request.headers.get("x-key")).toBe("k");
      expect(request.credentials).toBe("include");
    }
  });

  it.each(["/api", "127.0.0.1:8080/api"])(
    "fails at once with %s outside of a page, instead of trying again",
    async (url) => {
      const talk = createClient({ url }).conversation("c");
      onTestFinished(talk.subscribe(() => {}));
      const problem = { name: "ClientError", code: "invalid_url", message: expect.stringContaining("scheme and host") };
      await expect(talk.send("Hi.")).rejects.toMatchObject(problem);
      await expect.poll(() => talk.snapshot.connection).toBe("failed");
      expect(talk.snapshot.error).toMatchObject(problem);
    },
  );

  it("tells that `headers` has failed, and tries again", async () => {
    const { fetch } = fakeServer(() => fakeStream().response);
    const cause = new Error("no token");
    let isIn = false;
    const headers = () => (isIn ? {} : Promise.reject(cause));
    const talk = createClient({ url: "/api", fetch, headers }).conversation("c");
    onTestFinished(talk.subscribe(() => {}));
    await expect.poll(() => talk.snapshot.connection).toBe("offline");
    const message = "The function `headers` of the client failed.";
    expect(talk.snapshot.error).toMatchObject({ code: "unreachable", message, cause });
    isIn = true;
    await expect.poll(() => talk.snapshot.connection, { timeout: 20_000 }).toBe("open");
  });

  it("says what is wrong with an address that leads to something else", async () => {
    const { fetch } = fakeServer(() => new Response("<h1>Not found</h1>", { status: 404 }));
    const talk = createClient({ url: "/", fetch }).conversation("c");
    await expect(talk.send("Hi.")).rejects.toMatchObject({
      code: "bad_response",
      status: 404,
      message: expect.stringContaining("`prefix`"),
    });
  });

  it("tells of a server that refuses, and follows it again when it is asked to", async () => {
    let isIn = false;
    const answer: Answer = () =>
      isIn
        ? fakeStream().response
        : Response.json({ code: "unauthorized", message: "Sign in first." }, { status: 401 });
    const { fetch } = fakeServer(answer);
    const talk = createClient({ url: "/api", fetch }).conversation("c");
    onTestFinished(talk.subscribe(() => {}));
    await expect.poll(() => talk.snapshot.connection).toBe("failed");
    expect(talk.snapshot.error).toMatchObject({
      name: "ClientError",
      code: "unauthorized",
      status: 401,
      message: "Sign in first.",
    });
    isIn = true;
    talk.reconnect();
    await expect.poll(() => talk.snapshot.connection).toBe("open");
    expect(talk.snapshot).not.toHaveProperty("error");
  });

  it("never tells a key", async () => {
    const { fetch } = fakeServer(() => Promise.reject(new TypeError("fetch failed")));
    const talk = createClient({ url: "/api", fetch, headers: { authorization: "Bearer SECRET" } }).conversation("c");
    onTestFinished(talk.subscribe(() => {}));
    await expect.poll(() => talk.snapshot.connection).toBe("offline");
    expect(`${talk.snapshot.error?.message} ${JSON.stringify(talk.snapshot)}`).not.toContain("SECRET");
  });

  it("says at once what it needs in React Native, whose fetch does not stream", async () => {
    const { navigator } = globalThis;
    const body = Object.getOwnPropertyDescriptor(Response.prototype, "body") as PropertyDescriptor;
    Object.defineProperty(globalThis, "navigator", { value: { product: "ReactNative" }, configurable: true });
    delete (Response.prototype as { body?: unknown }).body;
    onTestFinished(() => {
      Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
      Object.defineProperty(Response.prototype, "body", body);
    });
    const talk = createClient({ url: "http://127.0.0.1:1" }).conversation("c");
    onTestFinished(talk.subscribe(() => {}));
    await expect.poll(() => talk.snapshot.connection).toBe("failed");
    expect(talk.snapshot.error).toMatchObject({ code: "no_streams", message: expect.stringContaining("expo/fetch") });
  });
});

it("argsOf gives the arguments, also while they are written", () => {
  const call: CallPart = { type: "call", name: "a", state: "writing" };
  expect(argsOf({ ...call, text: '{"file":"a.t' })).toEqual({ file: "a.t" });
  expect(argsOf({ ...call, args: { file: "a.txt" } })).toEqual({ file: "a.txt" });
  expect(argsOf(call)).toEqual({});
});
