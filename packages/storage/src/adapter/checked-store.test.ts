import { describe, expect, it } from "vitest";
import { memoryStore } from "../memory/memory-store.ts";
import { redactingStore } from "../redact/redacting-store.ts";
import type { Store } from "../store.ts";

const key = { conversation: "c" };
const wrong = (value: unknown) => value as never;

/** What a caller without a type checker may write, and words of the answer. */
const mistakes: Record<string, [call: (store: Store) => unknown, answer: string[]]> = {
  "append to a key with another word for the user": [
    (store) => store.append(wrong({ conversation: "c", userId: "ada" }), []),
    ["the key of store.append", "`userId`", "Did you mean `user`?"],
  ],
  "append to a name": [(store) => store.append(wrong("c"), []), ["the key of store.append", "`conversation`"]],
  "append with a misspelt option": [
    (store) => store.append(key, [], wrong({ expect: 1 })),
    ["store.append", "`expect`", "`expected`"],
  ],
  "append with a batch that is a number": [
    (store) => store.append(key, [], wrong({ batch: 1 })),
    ["store.append", "`batch`", "a string"],
  ],
  "append that takes one id": [
    (store) => store.append(key, [], wrong({ takes: "a" })),
    ["store.append", "`takes`", "an array of ids"],
  ],
  "load with a limit that is a text": [
    (store) => store.load(key, wrong({ limit: "5" })),
    ["store.load", "`limit`", "a number"],
  ],
  "load with an option of other libraries": [
    (store) => store.load(key, wrong({ since: 5 })),
    ["store.load", "`since`", "`after`"],
  ],
  "conversations by a page size": [
    (store) => store.conversations(wrong({ pageSize: 5 })),
    ["store.conversations", "Did you mean `limit`?"],
  ],
  "delete without a name": [(store) => store.delete(wrong({})), ["the key of store.delete", "`conversation`"]],
  "delete of a conversation of user 7": [
    (store) => store.delete(wrong({ conversation: "c", user: 7 })),
    ["the key of store.delete", "`user`", "a string"],
  ],
  "search without options": [(store) => store.search("x", wrong(undefined)), ["store.search", "`options`"]],
  "search for a user of another word": [
    (store) => store.search("x", wrong({ userId: "ada" })),
    ["store.search", "Did you mean `user`?"],
  ],
  "search for a pattern": [(store) => store.search(wrong(/x/), { user: undefined }), ["store.search", "`text`"]],
  "loadProfile of an object": [(store) => store.loadProfile(wrong({ user: "ada" })), ["store.loadProfile", "`user`"]],
  "saveProfile of a version": [
    (store) => store.saveProfile("ada", {}, wrong({ version: 1 })),
    ["store.saveProfile", "`version`", "`expected`"],
  ],
  "deleteProfile of a key": [(store) => store.deleteProfile(wrong(key)), ["store.deleteProfile", "`user`"]],
  "lease without an owner": [(store) => store.lease(key, wrong({ ttl: 5 })), ["store.lease", "`owner`"]],
  "lease with a timeout": [
    (store) => store.lease(key, wrong({ owner: "o", ttl: 5, timeout: 5 })),
    ["store.lease", "`timeout`", "`ttl`"],
  ],
  "follow with a controller": [
    (store) => store.follow(key, wrong({ signal: new AbortController() })),
    ["store.follow", "`signal`", "an AbortSignal"],
  ],
  "post without an id": [(store) => store.post(key, { kind: "cancel" }, wrong({})), ["store.post", "`id`"]],
  "inbox of nothing": [(store) => store.inbox(wrong(undefined)), ["the key of store.inbox", "`conversation`"]],
  "watch of something else": [
    (store) => store.watch(key, wrong({ of: "post" })),
    ["store.watch", "`of`", '"all", "posts"'],
  ],
  "wake at a date": [
    (store) => store.wake(key, wrong({ id: "t", at: new Date() })),
    ["store.wake", "`at`", "a number"],
  ],
  "claim with a misspelt option": [
    (store) => store.claim(wrong({ owner: "o", limit: 1, ttl: 1, peruser: 1 })),
    ["store.claim", "Did you mean `perUser`?"],
  ],
  "unpark of a claim": [(store) => store.unpark(wrong({ key })), ["the key of store.unpark", "`key`"]],
  "parked of a user": [(store) => store.parked(wrong({ user: "ada" })), ["store.parked", "`user`", "`scope`"]],
  "nextWake of a text": [(store) => store.nextWake(wrong("scope")), ["store.nextWake", "`scope`"]],
  "queue of a number": [(store) => store.queue(wrong({ scope: 1 })), ["store.queue", "`scope`", "a string"]],
  "watchWakes with a misspelt option": [
    (store) => store.watchWakes(wrong({ scop: "a" })),
    ["store.watchWakes", "Did you mean `scope`?"],
  ],
  "live for a key with another word for the user": [
    (store) => store.live.follow(wrong({ conversation: "c", userId: "ada" })),
    ["the key of store.live.follow", "`userId`", "Did you mean `user`?"],
  ],
  "live with a controller": [
    (store) => store.live.follow(key, wrong({ signal: new AbortController() })),
    ["store.live.follow", "`signal`", "an AbortSignal"],
  ],
  "slot without a limit": [(store) => store.slot("a", wrong({ owner: "o", ttl: 1 })), ["store.slot", "`limit`"]],
};

describe("checkedStore", () => {
  it.each(Object.entries(mistakes))("refuses %s, and says what to write", async (_, [call, answer]) => {
    for (const store of [memoryStore(), redactingStore(memoryStore())]) {
      const error = await (async () => call(store))().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "invalid_option" });
      for (const words of answer) expect(String(error)).toContain(words);
    }
  });

  it("has a mistake for every method that takes a key or options", () => {
    // `owner` is a name.
    const free = ["renew", "done", "defer", "renewClaim", "park", "close", "owner"];
    const tried = Object.keys(mistakes).map((mistake) => mistake.split(" ")[0]);
    expect(new Set([...tried, ...free])).toEqual(new Set(Object.keys(memoryStore())));
  });

  it.each([undefined, "", "ada"])("takes a summary of user %j as the key of its conversation", async (user) => {
    for (const store of [memoryStore(), redactingStore(memoryStore())]) {
      await store.append({ conversation: "c", user }, [{ type: "user", content: "Hello", timestamp: 1 }]);
      const [summary] = await store.conversations({ user });
      if (!summary) return expect.unreachable();
      expect(await store.load(summary)).toMatchObject([{ content: "Hello" }]);
      await expect(store.load(wrong({ ...summary, userId: "ada" }))).rejects.toThrow("`userId`");
      expect(await store.delete(summary)).toBe(true);
    }
  });

  it("shows no text that was given", async () => {
    const secret = "a text of a person";
    const refused = memoryStore().append(wrong({ conversation: "c", password: secret }), []);
    await expect(refused).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
  });
});

it.each<[string, () => unknown, string]>([
  ["memoryStore with a time", () => memoryStore(wrong({ clock: 5 })), "`clock`"],
  ["memoryStore with a path", () => memoryStore(wrong({ path: "a.db" })), "`path`"],
  ["redactingStore without a store", () => redactingStore(wrong(undefined)), "`store`"],
  ["redactingStore of a promise", () => redactingStore(wrong(Promise.resolve(memoryStore()))), "`store`"],
  ["redactingStore with options", () => redactingStore(memoryStore(), wrong({ redact: String })), "`redact`"],
])("refuses %s", (_, make, option) => {
  expect(make).toThrow(expect.objectContaining({ name: "TypeError", message: expect.stringContaining(option) }));
});
