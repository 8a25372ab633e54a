import type { LogEvent } from "@cogency/protocol";
import postgres from "postgres";

/** The least by which events can be kept: one table, as the fastest that a person would write by hand. */
export interface BareLog {
  append(events: readonly LogEvent[]): Promise<void>;
  load(): Promise<(LogEvent & { seq: number })[]>;
  close(): Promise<void>;
}

/** With the settings of the store's own client. */
export async function bareLog(url: string): Promise<BareLog> {
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} });
  await sql`CREATE TABLE IF NOT EXISTS bare (conversation text, seq bigint, event text, PRIMARY KEY (conversation, seq))`;
  await sql`TRUNCATE bare`;
  let seq = 0;
  return {
    async append(events) {
      const rows = events.map((_, index) => `($${3 * index + 1}, $${3 * index + 2}, $${3 * index + 3})`);
      const values = events.flatMap((event) => ["c", ++seq, JSON.stringify(event)]);
      await sql.unsafe(`INSERT INTO bare (conversation, seq, event) VALUES ${rows.join(", ")}`, values, {
        prepare: true,
      });
    },
    async load() {
      const rows = await sql`SELECT seq, event FROM bare WHERE conversation = 'c' ORDER BY seq`;
      return rows.map(({ seq, event }) => ({ ...(JSON.parse(event) as LogEvent), seq: Number(seq) }));
    },
    close: () => sql.end(),
  };
}
