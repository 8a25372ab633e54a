import { memoryStore } from "@cogency/storage";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "@cogency/worker/testkit";
import { createDatabase, type TestDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { graphileDispatcher } from "./index.ts";

describePostgres("graphileDispatcher", () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createDatabase(postgresUrl());
    pool = new Pool({ connectionString: database.url, max: 100 });
    // As every program does: without listeners, a broken connection would end it.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  let tasks = 0;
  const make = async () => {
    const store = memoryStore();
    const task = `case_${++tasks}`;
    const open = async () => {
      const dispatcher = await graphileDispatcher({ pool, task });
      return { store, dispatcher, close: () => dispatcher.close() };
    };
    return { open };
  };
  // `pnpm soak` runs those that take processes and restarts, on PostgreSQL alone.
  const cases = dispatcherConformance("graphile", make, { ...withoutProcesses, ...withoutRestart });
  for (const { name, run } of cases) it.concurrent(name, run);

  it("keeps one job for wakes of a conversation that wait for the same time, and none that is done", async () => {
    const dispatcher = await graphileDispatcher({ pool, schema: "alone" });
    const at = Date.now() + 60_000;
    for (const reason of ["inbox", "timer:a"]) {
      await dispatcher.wake({ conversation: "c" }, { reason });
      await dispatcher.wake({ conversation: "c" }, { reason, at });
    }
    const jobs = async () => (await pool.query("SELECT run_at FROM alone.jobs")).rowCount;
    expect(await jobs()).toBe(2);
    const { promise: isCalled, resolve } = Promise.withResolvers<void>();
    const stop = await dispatcher.work(async () => resolve());
    await isCalled;
    await vi.waitFor(async () => expect(await jobs()).toBe(1), { timeout: 60_000 });
    await stop();
    await dispatcher.close();
  });

  it("says why it cannot begin", async () => {
    const refused = graphileDispatcher({ url: "postgres://me@127.0.0.1:1/db", warn: () => {} });
    await expect(refused).rejects.toThrow("127.0.0.1:1");
  });
});

it.each<[string, unknown, string]>([
  ["another word for the address", { connectionString: "postgres://h" }, "Did you mean `url`?"],
  ["neither address nor pool", {}, "`url`"],
  ["a pool of another library", { pool: { acquire() {} } }, "`pool`"],
])("refuses %s, and says what to write", async (_, options, answer) => {
  await expect(graphileDispatcher(options as never)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining(answer),
  });
});
