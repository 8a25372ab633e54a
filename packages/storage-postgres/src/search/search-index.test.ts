import { createDatabase as createTestDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../database/connect.ts";
import { createDatabase } from "../database/database.ts";
import type { Statement } from "../database/sending.ts";
import { postgresStore } from "../postgres-store.ts";
import { prepareSearchIndex } from "./search-index.ts";

describePostgres("prepareSearchIndex", () => {
  it("ends while other processes keep appending", async () => {
    const { url, drop } = await createTestDatabase(postgresUrl());
    onTestFinished(drop);
    const store = await postgresStore({ url });
    onTestFinished(() => store.close());
    const pool = connect({ url });
    onTestFinished(() => pool.end());
    const closing = new AbortController().signal;
    const database = createDatabase({ pool, schema: "cogency", location: "here", retryFor: 1_000, closing });
    const append = () => store.append({ conversation: "c" }, [{ type: "user", content: "x", timestamp: 1 }]);
    await append();
    let writes = 0;
    const bringUpToDate = prepareSearchIndex({
      ...database,
      async run(...statement: Statement) {
        const rows = await database.run(...statement);
        if (!statement[0].startsWith("WITH reached")) return rows;
        if (++writes > 3) throw new Error("still indexing");
        await append();
        return rows;
      },
    });
    await bringUpToDate(undefined);
    expect(writes).toBe(1);
    await bringUpToDate(undefined);
    expect(writes).toBe(2);
  });
});
