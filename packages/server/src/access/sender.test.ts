import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, questionIn, read, reading, site } from "../../test/support/site.ts";
import { createHandler } from "../handler.ts";
import { type Authenticate, anonymousUser } from "../user.ts";

/** Knows the people by a header, as a server knows them by a session. */
const byHeader: Authenticate = ({ headers }) => {
  const id = headers.get("x-session");
  return id === null ? undefined : { id };
};
const as = (id: string) => ({ "x-session": id });
const routes = [
  ["GET", "/conversations"],
  ["GET", "/conversations/notes/events"],
  ["GET", "/conversations/notes/messages"],
  ["POST", "/conversations/notes/messages"],
  ["POST", "/conversations/notes/fork"],
  ["GET", "/conversations/notes"],
  ["PATCH", "/conversations/notes"],
  ["DELETE", "/conversations/notes"],
  ["GET", "/conversations/notes/questions"],
  ["GET", "/changes"],
  ["GET", "/openapi.json"],
  ["GET", "/nowhere"],
] as const;

describe("a request without a user", () => {
  it("is refused at every address, the stream of events included, and nothing is read or posted", async () => {
    const { store, ask } = site({ authenticate: byHeader });
    await store.append({ conversation: "notes" }, [{ type: "user", content: "canary", timestamp: 1 }]);
    for (const [method, path] of routes) {
      const body =
        method === "POST" || method === "PATCH" ? JSON.stringify({ id: "1", kind: "prompt", content: "hi" }) : null;
      const refused = await read(ask(path, { method, body, headers: { "content-type": "application/json" } }));
      expect(refused).toMatchObject({ status: 401, body: { code: "unauthorized", message: "Sign in first." } });
    }
    expect(await store.inbox({ conversation: "notes" })).toEqual([]);
  });

  it.each([
    ["an id that is undefined", { id: undefined }],
    ["an id that is null", { id: null }],
    ["an empty id", { id: "" }],
    ["a number", { id: 0 }],
    ["a name alone", { name: "ada" }],
    ["the promise of no user", Promise.resolve({})],
  ])("is not one of the anonymous user, when a look-up fails and gives %s", async (_, returned) => {
    const { ask, errors } = site({ authenticate: () => returned as never });
    expect(await read(ask("/conversations"))).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("`id`") })]);
  });

  it("is refused when the look-up returns null", async () => {
    expect((await site({ authenticate: () => null as never }).ask("/conversations")).status).toBe(401);
  });

  it("cannot be let in by forgetting the function", () => {
    const { agent, store } = site();
    const forgotten = { agent, store } as unknown as Parameters<typeof createHandler>[0];
    expect(() => createHandler(forgotten)).toThrow(/needs `authenticate`/);
  });
});

describe("a user", () => {
  it("sees and changes their own conversations alone, at every address", async () => {
    const { agent, store, written, ask, post } = site({ authenticate: byHeader }, [call, "Done.<end>"]);
    const hers = { conversation: "notes", user: "ada" };
    const prompt = { id: "1", kind: "prompt", content: "write" };
    expect((await post("/conversations/notes/messages", prompt, as("ada"))).status).toBe(202);
    await agent.sweep();
    const approve = { id: "2", kind: "approve", question: await questionIn(store, hers) };
    // In the name of another user.
    expect((await read(ask("/conversations", { headers: as("bob") }))).body).toEqual([]);
    expect((await read(ask("/conversations/notes/messages?user=ada", { headers: as("bob") }))).body).toEqual([]);
    expect((await post("/conversations/notes/messages", approve, as("bob"))).status).toBe(404);
    expect((await post("/conversations/notes/fork", {}, as("bob"))).status).toBe(404);
    for (const init of [{}, { method: "DELETE" }, { method: "PATCH", body: JSON.stringify({ title: "mine" }) }]) {
      const headers = { ...as("bob"), "content-type": "application/json" };
      expect((await ask("/conversations/notes", { ...init, headers })).status).toBe(404);
    }
    expect((await ask("/conversations/notes/questions", { headers: as("bob") })).status).toBe(404);
    const list = reading(await ask("/changes", { headers: as("bob") }));
    await list.next();
    expect(await list.next()).toBe('data: {"conversations":[]}\n\n');
    await list.leave();
    for (const field of ["user", "from", "proof"]) {
      const claiming = { ...approve, [field]: "ada" };
      expect((await post("/conversations/notes/messages", claiming, as("bob"))).status).toBe(400);
      expect((await post("/conversations/notes/fork", { [field]: "ada" }, as("bob"))).status).toBe(400);
    }
    const [hisEvents, herEvents] = await Promise.all(
      ["bob", "ada"].map(async (id) => reading(await ask("/conversations/notes/events", { headers: as(id) }))),
    );
    await Promise.all([hisEvents?.next(), herEvents?.next()]);
    const his = hisEvents?.next();
    expect(await herEvents?.next()).toMatch(/^id: 2\ndata: .*"kind":"message"/);
    await post("/conversations/notes/messages", { ...prompt, content: "mine" }, as("bob"));
    await store.append({ conversation: "notes", user: "bob" }, [{ type: "user", content: "mine", timestamp: 1 }]);
    expect(await his).toMatch(/^id: 1\ndata: .*mine/);
    await Promise.all([hisEvents?.leave(), herEvents?.leave()]);
    // In her own name.
    expect((await post("/conversations/notes/messages", approve, as("ada"))).status).toBe(202);
    expect((await store.inbox(hers)).map(({ message }) => message.from)).toEqual(["ada"]);
    await agent.sweep();
    expect(written).toEqual(["hello"]);
  });

  it("posts under a name of their own, and the anonymous user under none", async () => {
    const nameOf = async (authenticate: Authenticate, user: string | undefined) => {
      const { store, post } = site({ authenticate });
      await post("/conversations/notes/messages", { id: "1", kind: "cancel" });
      return (await store.inbox({ conversation: "notes", user })).map(({ message }) => message.from);
    };
    expect(await nameOf(() => ({ id: "u-1", name: "Ada" }), "u-1")).toEqual(["Ada"]);
    expect(await nameOf(() => ({ id: anonymousUser }), undefined)).toEqual([undefined]);
  });

  it("who has signed out reads no longer than a stream lasts", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isSignedIn = true;
    const { store, ask } = site({ authenticate: () => (isSignedIn ? { id: "ada" } : undefined), streamTime: 60_000 });
    const key = { conversation: "notes", user: "ada" };
    await store.append(key, [{ type: "user", content: "one", timestamp: 1 }]);
    const open = async () => ask("/conversations/notes/events", { headers: { "last-event-id": "1" } });
    const [waiting, slow] = [reading(await open()), reading(await open())];
    await Promise.all([waiting.next(), slow.next()]);
    const last = waiting.next();
    isSignedIn = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await last).toBe(": \n\n");
    const end = (async () => {
      while ((await waiting.next()) !== undefined);
    })();
    await vi.advanceTimersByTimeAsync(45_000);
    await end;
    await store.append(key, [{ type: "user", content: "canary", timestamp: 1 }]);
    expect(await slow.next()).toBe(undefined);
    expect((await open()).status).toBe(401);
    expect(vi.getTimerCount()).toBe(0);
  });
});
