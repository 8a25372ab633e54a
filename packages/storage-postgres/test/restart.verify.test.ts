import { setTimeout } from "node:timers/promises";
import type { Store } from "@cogency/storage";
import { createDatabase, type PostgresServer, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres } from "@tooling/postgres/describe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectUnavailable } from "./support/expect-unavailable.ts";
import { followUpTo } from "./support/follow-up-to.ts";
import { contents, said, upTo } from "./support/samples.ts";
import { openStore } from "./support/test-store.ts";

describeOwnPostgres("postgresStore whose server is restarted", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("completes all running calls while the server restarts", async () => {
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url, max: 6, retryFor: 90_000 });
    const conversations = upTo(12).map((number) => `c${number}`);
    const ending = new AbortController();
    const followers = conversations.map((conversation) => followUpTo(store, conversation, perConversation));
    const work = conversations.map((conversation) => appendAlone(store, conversation));
    const background = [renewAgain(store, ending.signal), searchAgain(store, ending.signal)];

    for (const how of ["fast", "immediate", "kill"] as const) {
      await setTimeout(200);
      await server.restart(how);
    }
    await Promise.all(work);
    ending.abort();
    await Promise.all(background);

    const all = upTo(perConversation).map(String);
    for (const [index, conversation] of conversations.entries()) {
      const log = await store.load({ conversation });
      expect(contents(log)).toEqual(all);
      expect(log.map(({ seq }) => seq)).toEqual(upTo(perConversation));
      expect(await followers[index]).toEqual(all);
    }
    expect(await store.search("7", { user: undefined })).toHaveLength(conversations.length);
  });

  it("throws `unavailable` while the server is down, and works again when it is back", async () => {
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url, retryFor: 1_000 });
    await store.append({ conversation: "c" }, [said("before")]);
    await server.halt("fast");
    const began = Date.now();
    const attempts = [
      store.append({ conversation: "c" }, [said("lost")]),
      store.load({ conversation: "c" }),
      store.search("before", { user: undefined }),
      store.lease({ conversation: "c" }, { owner: "o", ttl: 1_000 }),
      openStore({ url, retryFor: 1_000 }),
    ];
    for (const result of await Promise.allSettled(attempts)) expectUnavailable(result);
    expect(Date.now() - began).toBeLessThan(60_000);
    await server.start();
    expect(await store.append({ conversation: "c" }, [said("after")], { expected: 1 })).toBe(2);
  });
});

const perConversation = 60;

/** Appends one event after the other, each with the number that the writer has seen. */
async function appendAlone(store: Store, conversation: string): Promise<void> {
  for (const number of upTo(perConversation)) {
    await store.append({ conversation }, [said(String(number))], { expected: number - 1 });
    await setTimeout(10);
  }
}

/** Holds a lease over all restarts and appends under it. */
async function renewAgain(store: Store, signal: AbortSignal): Promise<void> {
  const key = { conversation: "leased" };
  const lease = await store.lease(key, { owner: "holder", ttl: 600_000 });
  while (!signal.aborted) {
    await lease.renew();
    await store.append(key, [said("under a lease")], { lease });
    await setTimeout(10);
  }
  await lease.release();
}

async function searchAgain(store: Store, signal: AbortSignal): Promise<void> {
  for (let found = 0; !signal.aborted; await setTimeout(20)) {
    const matches = await store.search("1", { user: undefined, limit: 100 });
    expect(matches.length).toBeGreaterThanOrEqual(found);
    found = matches.length;
  }
}
