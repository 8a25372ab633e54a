import type { LogEvent } from "@cogency/protocol";
import postgres from "postgres";

/** The simplest log: one table and the obvious statements. */
export interface BareLog {
  append(events: readonly LogEvent[]): Promise<void>;
  load(): Promise<(LogEvent & { seq: number })[]>;
  close(): Promise<void>;
}

/** One INSERT per batch. The only writer counts the sequence numbers itself. */
export const countingName = "bare postgres";

/** One statement per batch. The server counts the sequence numbers: the minimum for several writers without gaps. */
export const countedName = "bare postgres, counted by the server";

/** The log of the conversation with that name, with the client settings of the store. */
export async function bareLog(url: string, name = countingName): Promise<BareLog> {
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} });
  await sql`CREATE TABLE IF NOT EXISTS bare (conversation text, seq bigint, event text, PRIMARY KEY (conversation, seq))`;
  await sql`CREATE TABLE IF NOT EXISTS bare_counter (conversation text PRIMARY KEY, last bigint) WITH (fillfactor = 70)`;
  await sql`DELETE FROM bare WHERE conversation = ${name}`;
  await sql`INSERT INTO bare_counter VALUES (${name}, 0) ON CONFLICT (conversation) DO UPDATE SET last = 0`;
  let seq = 0;
  return {
    append: name === countedName ? appendCounted : append,
    async load() {
      const rows = await sql`SELECT seq, event FROM bare WHERE conversation = ${name} ORDER BY seq`;
      return rows.map(({ seq, event }) => ({ ...(JSON.parse(event) as LogEvent), seq: Number(seq) }));
    },
    close: () => sql.end(),
  };

  async function append(events: readonly LogEvent[]): Promise<void> {
    const rows = events.map((_, index) => `($${3 * index + 1}, $${3 * index + 2}, $${3 * index + 3})`);
    const values = events.flatMap((event) => [name, ++seq, JSON.stringify(event)]);
    await sql.unsafe(`INSERT INTO bare (conversation, seq, event) VALUES ${rows.join(", ")}`, values, {
      prepare: true,
    });
  }

  async function appendCounted(events: readonly LogEvent[]): Promise<void> {
    const rows = events.map((_, index) => `(${index + 1}, $${index + 3}::text)`);
    const values = [name, events.length, ...events.map((event) => JSON.stringify(event))];
    await sql.unsafe(
      `WITH counter AS (UPDATE bare_counter SET last = last + $2 WHERE conversation = $1 RETURNING conversation, last)
        INSERT INTO bare (conversation, seq, event)
        SELECT conversation, last - $2 + n, event FROM counter, (VALUES ${rows.join(", ")}) AS added (n, event)`,
      values,
      { prepare: true },
    );
  }
}
