import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import type { ForeignSchema } from "./foreign-schemas.ts";
import { filled } from "./store-file.ts";
import { usedUnnoticed } from "./used-unnoticed.ts";

export function foreignSchemaAttack([name, sql]: ForeignSchema): Attack {
  return {
    name: `foreign: ${name}`,
    async run(place) {
      const wrong: string[] = [];
      for (const [index, { table }] of (await tablesOf(place)).entries()) {
        const path = join(place.outer, `${index}.db`);
        await filled(path, "before");
        const database = new DatabaseSync(path);
        const columns = database
          .prepare(`PRAGMA table_info("${table}")`)
          .all()
          .map((row) => String(row.name));
        try {
          for (const statement of sql(table, columns)) database.exec(statement);
        } catch {
          // The statements do not fit this table.
          continue;
        } finally {
          database.close();
        }
        const problem = await usedUnnoticed(path);
        if (problem) wrong.push(`${table}: ${problem}`);
      }
      return wrong.length > 0 ? wrong.slice(0, 4).join("; ") : undefined;
    },
  };
}

async function tablesOf(place: Place): Promise<{ table: string }[]> {
  const path = join(place.outer, "plain.db");
  await filled(path, "before");
  const database = new DatabaseSync(path);
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  database.close();
  // The inner tables of a search index are left out.
  return rows
    .map(({ name }) => ({ table: String(name) }))
    .filter(({ table }) => !/_(data|idx|content|docsize|config)$/.test(table));
}
