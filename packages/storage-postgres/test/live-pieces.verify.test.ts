import { setTimeout } from "node:timers/promises";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished, vi } from "vitest";
import { schemaScript } from "../src/index.ts";
import { type SealOf, sealsOf } from "../src/live/seals.ts";
import { keyNames } from "../src/rows/names.ts";
import { followUpTo } from "./support/follow-up-to.ts";
import { isFollowed, liveRun, liveScreen } from "./support/live-run.ts";
import { said, upTo } from "./support/samples.ts";
import { tcpProxy } from "./support/tcp-proxy.ts";
import { connected, freshRole } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

const key = { conversation: "c" };

describePostgres("live pieces between postgresStores", () => {
  it("wait while the pool is exhausted, and fail nobody", async () => {
    const url = await freshDatabase();
    const [store, other] = [await openStore({ url, max: 1 }), await openStore({ url })];
    const run = liveRun(store, key);
    const screen = liveScreen(other, key);
    await isFollowed(run);
    await store.append(key, [said("1")]);
    await connected(url, async (sql) => {
      await sql.unsafe("BEGIN; SELECT FROM cogency.conversations FOR UPDATE");
      const append = store.append(key, [said("2")]);
      run.write("behind the append");
      await setTimeout(300);
      expect(screen.shown.get("run")).toBeUndefined();
      await sql.unsafe("COMMIT");
      expect(await append).toBe(2);
    });
    await screen.catchesUp(run);
  });

  it("take one connection beside the pool, together with followers of the log", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url, max: 1 });
    const runs = upTo(20).map((number) => liveRun(store, { conversation: `c${number}` }));
    const screens = upTo(20).map((number) => liveScreen(store, { conversation: `other ${number}` }));
    const followed = followUpTo(store, "c", 1);
    const other = await openStore({ url, max: 1 });
    const screen = liveScreen(other, { conversation: "c20" });
    await vi.waitFor(() => expect(runs.map((run) => run.isFollowed)).toEqual([...Array(19).fill(false), true]), {
      timeout: 20_000,
    });
    runs[19]?.write("here");
    await vi.waitFor(() => expect(screen.shown.get("run")).toBe("here"), { timeout: 20_000 });
    const name = new URL(url).pathname.slice(1);
    const count = await connected(postgresUrl(), (sql) => sql`SELECT FROM pg_stat_activity WHERE datname = ${name}`);
    expect(count).toHaveLength(4);
    await store.append({ conversation: "c" }, [said("1")]);
    await followed;
    await Promise.all([...screens, screen].map((one) => one.leave()));
  });

  it("reach nobody in another schema", async () => {
    const url = await freshDatabase();
    const [store, other, same] = [
      await openStore({ url }),
      await openStore({ url, schema: "other" }),
      await openStore({ url }),
    ];
    const run = liveRun(store, key);
    const [foreign, screen] = [liveScreen(other, key), liveScreen(same, key)];
    await isFollowed(run);
    run.write("for this schema");
    await screen.catchesUp(run);
    expect(foreign.shown.size).toBe(0);
    await screen.leave();
    await vi.waitFor(() => expect(run.isFollowed).toBe(false), { timeout: 20_000 });
  });

  it("do not pass through a pooler in transaction mode, and followers of the log poll", async () => {
    const url = await freshDatabase();
    const proxy = await tcpProxy(url, true);
    onTestFinished(() => proxy.close());
    const [store, other] = await Promise.all(upTo(2).map(() => openStore({ url: proxy.url, pollInterval: 100 })));
    if (!store || !other) return expect.unreachable();
    const run = liveRun(store, key);
    const [screen, own] = [liveScreen(other, key), liveScreen(store, key)];
    const followed = followUpTo(other, "c", 2);
    for (const number of upTo(2)) {
      run.write(`piece ${number} `);
      await store.append(key, [said(String(number))]);
    }
    expect(await followed).toEqual(["1", "2"]);
    await own.catchesUp(run);
    await setTimeout(500);
    expect(screen.shown.size).toBe(0);
  });

  it("show a role without rights nothing, and ignore what it sends, even if it knew the channels", async () => {
    const url = await freshDatabase();
    await connected(url, (sql) => sql.unsafe(schemaScript()));
    const { url: stranger } = await freshRole(url);
    const store = await openStore({ url });
    const run = liveRun(store, key);
    const screen = liveScreen(await openStore({ url }), key);
    const sealOf = await secretSeals(url);
    const [joins, room] = [sealOf("joins"), sealOf(`conversation ${keyNames(key).key.toString("hex")}`)];
    await isFollowed(run);
    await connected(stranger, async (sql) => {
      await expect(sql`SELECT key FROM cogency.live_key`).rejects.toThrow("permission denied");
      const seen: string[] = [];
      for (const { channel } of [joins, room]) await sql.listen(channel, (payload) => seen.push(payload));
      const forged = JSON.stringify({
        from: "stranger",
        who: true,
        asks: [room.id],
        pieces: [{ type: "text", run: "run", seq: 0, unit: 1, offset: 0, text: "forged" }],
      });
      const hostile = [
        forged,
        Buffer.from(forged).toString("base64"),
        "",
        "[".repeat(7_000),
        "\u{1f600}".repeat(1_900),
      ];
      for (const { channel } of [joins, room]) for (const payload of hostile) await sql.notify(channel, payload);
      run.write("the private words");
      await screen.catchesUp(run);
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(2 * hostile.length), { timeout: 20_000 });
      const own = seen.filter((payload) => !hostile.includes(payload));
      const texts = own.map((payload) => payload + Buffer.from(payload, "base64").toString("latin1"));
      for (const text of texts) expect(text).not.toMatch(/private|"run"|stranger/);
      // What was sent before may be sent again. It says nothing new.
      for (const payload of own) await sql.notify(room.channel, payload);
    });
    run.write(" and more");
    await screen.catchesUp(run);
    expect(screen.shown.get("run")).toBe("the private words and more");
  });

  it("are refused by screens if they come from a store with the rights, but are no pieces", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const screen = liveScreen(store, key);
    const room = (await secretSeals(url))(`conversation ${keyNames(key).key.toString("hex")}`);
    const good = { type: "text", run: "run", seq: 0, unit: 1, offset: 0, text: "good" };
    const messages = [
      "null",
      '{"from":"x","pieces":[{"type":"text"},null,5]}',
      `{"from":"x","pieces":[${JSON.stringify({ ...good, offset: -1, text: "wrong" })}]}`,
      `{"from":"x","pieces":[${JSON.stringify(good)}],"__proto__":{"from":"y"}}`,
    ];
    await vi.waitFor(
      async () => {
        await connected(url, async (sql) => {
          for (const message of messages) await sql.notify(room.channel, room.seal(message));
        });
        expect(screen.shown.get("run")).toBe("good");
      },
      { timeout: 20_000, interval: 100 },
    );
  });
});

async function secretSeals(url: string): Promise<SealOf> {
  const [row] = await connected(url, (sql) => sql`SELECT key FROM cogency.live_key`);
  return sealsOf(row?.key as Buffer);
}
