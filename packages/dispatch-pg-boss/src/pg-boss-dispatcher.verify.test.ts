import { memoryStore } from "@cogency/storage";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "@cogency/worker/testkit";
import { createDatabase, type TestDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pgBossDispatcher } from "./index.ts";

describePostgres("pgBossDispatcher", () => {
  let database: TestDatabase;
  let boss: PgBoss;
  beforeAll(async () => {
    database = await createDatabase(postgresUrl());
    boss = await new PgBoss({ connectionString: database.url, useListenNotify: true }).start();
  });
  afterAll(async () => {
    await boss?.stop({ graceful: false });
    await database?.drop();
  });

  let queues = 0;
  const make = async () => {
    const store = memoryStore();
    const queue = `case_${++queues}`;
    const open = async () => ({ store, dispatcher: await pgBossDispatcher({ boss, queue }), close: async () => {} });
    return { open };
  };
  // `pnpm soak` runs those that take processes and restarts, on PostgreSQL alone.
  const cases = dispatcherConformance("pg-boss", make, { ...withoutProcesses, ...withoutRestart });
  for (const { name, run } of cases) it.concurrent(name, run);

  it("refuses a queue whose policy swallows wakes", async () => {
    await boss.createQueue("exclusive", { policy: "exclusive" });
    const refused = pgBossDispatcher({ boss, queue: "exclusive" });
    await expect(refused).rejects.toThrow('has the policy "exclusive", which swallows wakes; it must be "short"');
  });

  it("keeps one job for wakes of a conversation that wait for the same time", async () => {
    const { wake } = await pgBossDispatcher({ boss, queue: "waiting" });
    const at = Date.now() + 60_000;
    for (const reason of ["inbox", "timer:a"]) {
      await wake({ conversation: "c" }, { reason });
      await wake({ conversation: "c" }, { reason, at });
    }
    expect(await boss.getQueueStats("waiting", { force: true })).toMatchObject([{ totalCount: 2, deferredCount: 1 }]);
  });

  it("says why it cannot begin", async () => {
    await expect(pgBossDispatcher({ url: "postgres://me@127.0.0.1:1/db", warn: () => {} })).rejects.toThrow(
      "127.0.0.1:1",
    );
  });
});

it.each<[string, unknown, string]>([
  ["another word for the address", { connectionString: "postgres://h" }, "Did you mean `url`?"],
  ["neither address nor instance", {}, "`url`"],
  ["an instance of another library", { boss: { add() {} } }, "`boss`"],
])("refuses %s, and says what to write", async (_, options, answer) => {
  await expect(pgBossDispatcher(options as never)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining(answer),
  });
});
