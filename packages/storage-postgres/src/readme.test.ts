import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { readmeExamples } from "@tooling/readme";
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
