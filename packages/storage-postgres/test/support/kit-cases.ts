import { storeConformance, withoutProcesses } from "@cogency/storage/testkit";
import { createDatabase, type TestDatabase } from "@tooling/postgres";
import { postgresUrl } from "@tooling/postgres/describe";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, it } from "vitest";
import { postgresStore } from "../../src/postgres-store.ts";
import { type SpareSchemas, spareSchemas } from "./spare-schemas.ts";

/** Moving megabytes, trying many names and starting processes takes long. Other cases mostly wait for the server. */
const isBig = ({ name }: { name: string }) =>
  /megabytes|100,000,000 bytes|hundred|thousand|whatever .*names?|misses no|just resolved/.test(name);

/** Registers all cases of the kit, or each tenth of those that are short. */
export function kitCases(which: "all" | "some"): void {
  let shared: TestDatabase;
  let sql: Sql;
  let schemas: SpareSchemas;
  beforeAll(async () => {
    shared = await createDatabase(postgresUrl());
    sql = postgres(shared.url, { max: 2 });
    schemas = spareSchemas(sql);
  });
  afterAll(async () => {
    await sql?.end();
    await shared?.drop();
  });

  const opening = (schema: string, pollInterval: number) => () =>
    postgresStore({ url: shared.url, schema, max: 4, pollInterval, connectTimeout: 60_000 });
  const cases = storeConformance(
    "postgres",
    async () => {
      const schema = schemas.take();
      const open = opening(schema, 20_000);
      return { store: await open(), reopen: open, dispose: () => schemas.giveBack(schema) };
    },
    withoutProcesses,
  ).filter(({ name }) => !(name in withoutProcesses));
  // The server may still write for a killed process, so each of these cases keeps its schema.
  const processCases = (pollInterval: number) =>
    storeConformance("postgres", async () => {
      const schema = schemas.take();
      return {
        store: await opening(schema, pollInterval)(),
        elsewhere: { module: new URL("./open-elsewhere.ts", import.meta.url), options: { url: shared.url, schema } },
      };
    }).filter(({ name }) => name in withoutProcesses);
  // A process that is killed right after a change takes the notification with it, and only a poll notices the change.
  const isPolled = ({ name }: { name: string }) => /^watchWakes .* by the end of its claim$/.test(name);
  const chosen =
    which === "all"
      ? [...cases, ...processCases(20_000).filter((one) => !isPolled(one)), ...processCases(1_000).filter(isPolled)]
      : cases.filter((one) => !isBig(one)).filter((_, at) => at % 10 === 0);
  // Each store has its own schema.
  for (const { name, run } of chosen) it.concurrent(name, run);
}
