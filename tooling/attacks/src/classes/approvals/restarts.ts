import { join } from "node:path";
import type { Place } from "../../harness/place.ts";

/** Changes of the home, the store or the options between a killed run, whose calls a person approved, and the next. */
export type Restart = [name: string, change: (place: Place) => Promise<string[]>, isControl?: true];

export const restarts: readonly Restart[] = [
  ["control: the same installation goes on", async () => [], true],
  [
    "another user of the machine, with the store copied",
    async (place) => {
      place.put("other/.cogency/cogency.db", "");
      await copyStore(place, "other");
      return ["other"];
    },
  ],
  [
    "exported raw and imported under another name",
    async (place) => {
      await place.cogency(["history", "export", "--raw", "--output", join(place.outer, "x.jsonl"), "c"]);
      await place.cogency(["history", "import", join(place.outer, "x.jsonl"), "--as", "d"]);
      return ["home", "d"];
    },
  ],
  [
    "exported raw, deleted and imported under its own name",
    async (place) => {
      await place.cogency(["history", "export", "--raw", "--output", join(place.outer, "x.jsonl"), "c"]);
      await place.cogency(["history", "delete", "--yes", "c"]);
      await place.cogency(["history", "import", join(place.outer, "x.jsonl")]);
      return [];
    },
  ],
  [
    "imported into another store of the same user",
    async (place) => {
      await place.cogency(["history", "export", "--raw", "--output", join(place.outer, "x.jsonl"), "c"]);
      await place.cogency(["history", "import", "--store", join(place.outer, "s.db"), join(place.outer, "x.jsonl")]);
      return ["home", "c", "--store", join(place.outer, "s.db")];
    },
  ],
  [
    "the stored arguments changed by another program",
    async (place) => {
      const { DatabaseSync } = await import("node:sqlite");
      const database = new DatabaseSync(place.store);
      for (const { name: table } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
        for (const { name: column } of database.prepare(`PRAGMA table_info("${table}")`).all()) {
          try {
            database.exec(
              `UPDATE "${table}" SET "${column}" = replace("${column}", 'wanted', 'pwned!') WHERE typeof("${column}") = 'text'`,
            );
          } catch {
            // This table cannot be written.
          }
        }
      }
      database.close();
      return [];
    },
  ],
];

async function copyStore(place: Place, home: string): Promise<void> {
  const { cpSync } = await import("node:fs");
  cpSync(join(place.home, ".cogency"), join(place.outer, home, ".cogency"), { recursive: true });
}
