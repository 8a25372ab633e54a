import { setTimeout } from "node:timers/promises";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "../src/index.ts";
import { runProcess } from "./support/run-process.ts";
import { contents, said, upTo } from "./support/samples.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

describePostgres("postgresStore with a small pool", () => {
  it("writes 300 conversations for 200 followers at once over four connections and a listening one", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url, max: 4, retryFor: 90_000 });
    const connections = countConnections(url);
    const perConversation = 4;
    const conversations = upTo(300).map((number) => `c${number}`);
    const followers = conversations.slice(0, 200).map(async (conversation) => {
      const seen: string[] = [];
      for await (const event of store.follow({ conversation })) {
        seen.push(...contents([event]));
        if (seen.length === perConversation) break;
      }
      return seen;
    });
    await Promise.all(
      conversations.map(async (conversation) => {
        for (const number of upTo(perConversation)) {
          await store.append({ conversation }, [said(String(number))], { expected: number - 1 });
        }
      }),
    );
    const all = upTo(perConversation).map(String);
    expect(await Promise.all(followers)).toEqual(followers.map(() => all));
    const listed = await store.conversations({ limit: 1000 });
    expect(listed.map(({ events }) => events)).toEqual(conversations.map(() => perConversation));
    const counts = await connections.end();
    expect(Math.max(...counts)).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
  });

  it("follows 200 quiet conversations without taking a connection from writers", async () => {
    const store = await openStore({ url: await freshDatabase(), max: 2 });
    const leaving = new AbortController();
    const followers = upTo(200).map(async (number) => {
      for await (const _ of store.follow({ conversation: `quiet ${number}` }, { signal: leaving.signal }));
    });
    await setTimeout(100);
    for (const number of upTo(20)) expect(await store.append({ conversation: "c" }, [said("x")])).toBe(number);
    leaving.abort();
    await Promise.all(followers);
  });

  it("leaves no connection open when it is closed during work", async () => {
    const url = await freshDatabase();
    const store = await postgresStore({ url, max: 3 });
    const work = upTo(50).map((number) => store.append({ conversation: `c${number}` }, [said("x")]));
    const followers = upTo(5).map(async (number) => {
      for await (const _ of store.follow({ conversation: `c${number}` }));
    });
    const settled = Promise.allSettled([...work, ...followers]);
    await work[0];
    await store.close();
    await store.close();
    for (const result of await settled) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "closed" });
    }
    await vi.waitFor(async () => expect(await connectionsTo(url)).toBe(0), { timeout: 20_000, interval: 100 });
  });

  it("lets the process end after it was closed, even with followers", async () => {
    const child = runProcess("open-and-close-process.ts", await freshDatabase());
    onTestFinished(() => child.kill("SIGKILL"));
    expect(await child.ended).toEqual({ code: 0, signal: null, complaint: "" });
  });
});

/** Counts the connections to a database again and again; `end` gives all counts. */
function countConnections(url: string): { end(): Promise<number[]> } {
  const counts: number[] = [];
  let isEnding = false;
  const counting = (async () => {
    while (!isEnding) {
      counts.push(await connectionsTo(url));
      await setTimeout(20);
    }
  })();
  return {
    end: async () => {
      isEnding = true;
      await counting;
      return counts;
    },
  };
}

async function connectionsTo(url: string): Promise<number> {
  const sql = postgres(postgresUrl(), { max: 1 });
  try {
    const database = new URL(url).pathname.slice(1);
    const rows =
      await sql`SELECT FROM pg_stat_activity WHERE datname = ${database} AND backend_type = 'client backend'`;
    return rows.length;
  } finally {
    await sql.end();
  }
}
