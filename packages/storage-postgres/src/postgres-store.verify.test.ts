import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { kitCases } from "../test/support/kit-cases.ts";
import { postgresStore } from "./postgres-store.ts";

describePostgres("postgresStore", () => {
  kitCases("all");

  it("refuses a batch that is too large for PostgreSQL", async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    const store = await postgresStore({ url });
    const key = { conversation: "c" };
    const large = { type: "user", content: "x".repeat(160_000_000), timestamp: 1 } as const;
    await expect(store.append(key, [large, large])).rejects.toMatchObject({ code: "invalid_event" });
    expect(await store.load(key)).toEqual([]);
    await store.close();
  });
});
