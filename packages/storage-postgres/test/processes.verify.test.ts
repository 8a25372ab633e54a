import { setTimeout } from "node:timers/promises";
import { describePostgres } from "@tooling/postgres/describe";
import { expect, it, onTestFinished, vi } from "vitest";
import { type RunningProcess, runProcess } from "./support/run-process.ts";
import { contents, said, upTo } from "./support/samples.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

describePostgres("postgresStore in several processes", () => {
  it("leaves no gap when eight processes create the schema and append at once", async () => {
    const url = await freshDatabase();
    const count = 60;
    const names = upTo(8).map((number) => `w${number}`);
    const writers = names.map((name) => run("append-process.ts", url, name, String(count)));
    for (const { ended } of writers) expect(await ended).toEqual({ code: 0, signal: null, complaint: "" });

    const store = await openStore({ url });
    const shared = await store.load({ conversation: "shared" });
    expect(shared.map(({ seq }) => seq)).toEqual(upTo(names.length * count));
    for (const name of names) {
      const all = upTo(count).map((number) => `${name} ${number}`);
      expect(contents(shared).filter((content) => content.startsWith(`${name} `))).toEqual(all);
      expect(contents(await store.load({ conversation: name }))).toEqual(all);
    }
  });

  it("yields the events of another process once and in order, even if that process is killed", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const seen: number[] = [];
    const leaving = new AbortController();
    const following = (async () => {
      for await (const { seq } of store.follow({ conversation: "shared" }, { signal: leaving.signal })) seen.push(seq);
    })();
    const writer = run("append-process.ts", url, "w", "100000");
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(50), { timeout: 30_000 });
    writer.kill("SIGKILL");
    await writer.ended;
    const log = await settledLog(() => store.load({ conversation: "shared" }));
    await vi.waitFor(() => expect(seen).toHaveLength(log.length), { timeout: 30_000 });
    expect(seen).toEqual(upTo(log.length));
    leaving.abort();
    await following;
  });

  it("grants the lease of a killed process to another owner when it expires, and to the same owner at once", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const key = { conversation: "c" };
    const holder = run("hold-process.ts", url, "3000");
    const token = await firstToken(holder);
    await expect(store.lease(key, { owner: "another", ttl: 1_000 })).rejects.toMatchObject({ code: "lease_held" });
    await expect(store.append(key, [said("x")])).rejects.toMatchObject({ code: "lease_held", owner: "holder" });
    holder.kill("SIGKILL");
    await holder.ended;

    const again = await store.lease(key, { owner: "holder", ttl: 1_000 });
    expect(again.token).toBeGreaterThan(token);
    const taken = await vi.waitFor(() => store.lease(key, { owner: "another", ttl: 60_000 }), {
      timeout: 20_000,
      interval: 50,
    });
    expect(taken.token).toBeGreaterThan(again.token);
    await expect(store.append(key, [said("x")], { lease: again })).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("refuses an append of a holder that was stopped for longer than its lease", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const key = { conversation: "c" };
    const holder = run("hold-process.ts", url, "1000");
    await firstToken(holder);
    holder.kill("SIGSTOP");
    const taken = await vi.waitFor(() => store.lease(key, { owner: "another", ttl: 60_000 }), {
      timeout: 20_000,
      interval: 50,
    });
    const last = (await store.load(key)).length;
    expect(await store.append(key, [said("mine")], { lease: taken })).toBe(last + 1);
    holder.kill("SIGCONT");
    expect(await holder.ended).toMatchObject({ code: 3, complaint: "lease_lost\n" });
    expect(contents(await store.load(key)).at(-1)).toBe("mine");
  });

  it("has each message in the log once, and nothing left to do, after workers were killed at any time", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const perConversation = 8;
    const keys = upTo(20).map((number) => ({ conversation: `c${number}`, user: `u${number % 3}` }));
    let started = 0;
    const start = () => run("worker-process.ts", url, `worker ${++started}`);
    const workers = upTo(3).map(start);
    const posting = Promise.all(
      keys.map(async (key) => {
        for (const number of upTo(perConversation)) {
          await store.post(key, { kind: "prompt", content: "Hello" }, { id: `m${number}`, scope: "workers" });
          await setTimeout(Math.random() * 200);
        }
      }),
    );
    for (const round of upTo(5)) {
      await setTimeout(350);
      const killed = workers[round % workers.length];
      killed?.kill("SIGKILL");
      await killed?.ended;
      workers[round % workers.length] = start();
    }
    await posting;
    await vi.waitFor(async () => expect(await store.nextWake({ scope: "workers" })).toBeUndefined(), {
      timeout: 60_000,
      interval: 100,
    });
    const all = upTo(perConversation).map((number) => `m${number}`);
    for (const key of keys) {
      expect(contents(await store.load(key))).toEqual(all);
      expect(await store.inbox(key)).toEqual([]);
    }
  });
});

function run(script: string, ...parameters: string[]): RunningProcess {
  const child = runProcess(script, ...parameters);
  onTestFinished(() => child.kill("SIGKILL"));
  return child;
}

/** A holder prints its token when it has the lease. */
async function firstToken({ lines }: RunningProcess): Promise<number> {
  const { value } = await lines.next();
  return Number(value);
}

/** The server may still be at the last statement of a client that was killed. */
async function settledLog<T>(load: () => Promise<T[]>): Promise<T[]> {
  for (let log = await load(); ; ) {
    await setTimeout(300);
    const next = await load();
    if (next.length === log.length) return next;
    log = next;
  }
}
