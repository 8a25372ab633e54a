import { memoryStore } from "@cogency/storage";
import { createDatabase, type TestDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { afterAll, beforeAll, describe, it } from "vitest";
import { storeDispatcher } from "../src/index.ts";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "../src/testkit/index.ts";
import { openElsewhere } from "./support/open-elsewhere.ts";

describe("storeDispatcher on a store in memory", () => {
  const make = async () => {
    const store = memoryStore();
    return { open: async () => ({ store, dispatcher: storeDispatcher(store), close: async () => {} }) };
  };
  const cases = dispatcherConformance("store", make, { ...withoutProcesses, ...withoutRestart });
  for (const { name, run, timeout } of cases) it.concurrent(name, { timeout }, run);
});

describePostgres("storeDispatcher on PostgreSQL", () => {
  let database: TestDatabase;
  let schemas = 0;
  beforeAll(async () => {
    database = await createDatabase(postgresUrl());
  });
  afterAll(() => database?.drop());

  const make = async () => {
    const options = { url: database.url, schema: `case_${++schemas}` };
    const module = new URL("support/worker-process.ts", import.meta.url);
    return { open: () => openElsewhere(options), elsewhere: { module, options } };
  };
  const cases = dispatcherConformance("store", make, withoutRestart);
  for (const { name, run, timeout } of cases) it.concurrent(name, { timeout }, run);
});
