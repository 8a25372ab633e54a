import { describe, expect, it } from "vitest";
import { openDatabase } from "./open-database.ts";
import { prepareStatements } from "./statements.ts";

describe("statements", () => {
  it("load goes to its place in the log and reads in order", async () => {
    const plan = await explain("loadLastFirst");
    expect(plan).toContain("SEARCH events USING PRIMARY KEY (conversation=? AND seq>?)");
    expect(plan.join()).not.toMatch(/SCAN events|SCAN conversations|TEMP B-TREE/);
  });

  it("conversations goes to its place in the list, reads in order and touches no event", async () => {
    const plan = await explain("listLogs");
    expect(plan[0]).toMatch(/SEARCH conversations USING INDEX \S+ \(user=\? AND position<\?\)/);
    expect(plan.join()).not.toMatch(/SCAN|TEMP B-TREE|events/);
  });

  it("append scans no table", async () => {
    for (const name of ["findLog", "saveLog", "findBatch", "addEvent", "addBatch"] as const) {
      const plan = await explain(name);
      expect(plan.join()).not.toContain("SCAN");
    }
  });
});

async function explain(name: keyof ReturnType<typeof prepareStatements>): Promise<string[]> {
  const database = await openDatabase(":memory:", 0);
  const { sourceSQL } = prepareStatements(database)[name];
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all();
  database.close();
  return rows.map(({ detail }) => String(detail));
}
