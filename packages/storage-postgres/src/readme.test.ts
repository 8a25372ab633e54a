import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { optionTables, readmeExamples } from "@tooling/readme";
import { afterAll, beforeAll } from "vitest";

describePostgres("with DATABASE_URL", () => {
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase(postgresUrl());
    // The examples run in processes with this one's environment.
    process.env.DATABASE_URL = database.url;
    drop = database.drop;
  });
  afterAll(() => drop?.());

  readmeExamples(new URL("../README.md", import.meta.url));
});

optionTables(new URL("../", import.meta.url), {
  "README.md": [
    { under: "Options", type: "PostgresStoreOptions", from: "src/postgres-store.ts" },
    { under: "A role without rights", type: "SchemaScriptOptions", from: "src/schema/schema-script.ts" },
  ],
});
