import type { LogEvent } from "@cogency/protocol";
import type { InboxMessage } from "@cogency/storage";
import postgres from "postgres";

/** The fewest statements that post, claim and take: one each, over tables without names, retries, users and leases. */
export interface BareInbox {
  post(conversation: string, id: string, message: InboxMessage): Promise<void>;
  /** Claims one conversation that is due. */
  claim(): Promise<string | undefined>;
  done(conversation: string): Promise<void>;
  /** Appends an event that takes a message. */
  take(conversation: string, id: string, event: LogEvent): Promise<void>;
  close(): Promise<void>;
}

export async function bareInbox(url: string): Promise<BareInbox> {
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} });
  await sql`CREATE TABLE bare_log (conversation text, seq bigint, event text, PRIMARY KEY (conversation, seq))`;
  await sql`CREATE TABLE bare_logs (conversation text PRIMARY KEY, last bigint) WITH (fillfactor = 70)`;
  await sql`CREATE TABLE bare_inbox (conversation text, seq bigint GENERATED ALWAYS AS IDENTITY, id text, message text,
    posted_at timestamptz, taken bigint, PRIMARY KEY (conversation, id))`;
  await sql`CREATE INDEX ON bare_inbox (conversation, seq) WHERE taken IS NULL`;
  await sql`CREATE TABLE bare_wakes (conversation text PRIMARY KEY, at timestamptz, claimed_by text, attempts int DEFAULT 0)`;
  await sql`CREATE INDEX ON bare_wakes (at)`;
  const run = (text: string, values: string[]) => sql.unsafe(text, values, { prepare: true });

  return {
    async post(conversation, id, message) {
      await run(
        `WITH posted AS (
          INSERT INTO bare_inbox (conversation, id, message, posted_at) VALUES ($1, $2, $3, statement_timestamp())
          ON CONFLICT DO NOTHING RETURNING conversation
        )
        INSERT INTO bare_wakes (conversation, at) SELECT conversation, statement_timestamp() FROM posted
        ON CONFLICT (conversation) DO UPDATE SET at = least(bare_wakes.at, excluded.at)`,
        [conversation, id, JSON.stringify(message)],
      );
    },

    async claim() {
      const [claimed] = await run(
        `UPDATE bare_wakes w SET at = statement_timestamp() + interval '1 hour', claimed_by = $1, attempts = attempts + 1
        FROM (SELECT conversation FROM bare_wakes WHERE at <= statement_timestamp() ORDER BY at LIMIT 1 FOR UPDATE SKIP LOCKED) d
        WHERE w.conversation = d.conversation RETURNING w.conversation`,
        ["worker"],
      );
      return claimed?.conversation;
    },

    async done(conversation) {
      await run("DELETE FROM bare_wakes WHERE conversation = $1 AND claimed_by = $2", [conversation, "worker"]);
    },

    async take(conversation, id, event) {
      await run(
        `WITH counter AS (
          INSERT INTO bare_logs AS l VALUES ($1, 1) ON CONFLICT (conversation) DO UPDATE SET last = l.last + 1
          RETURNING conversation, last
        ), taken AS (
          UPDATE bare_inbox i SET taken = c.last FROM counter c
          WHERE i.conversation = c.conversation AND i.id = $2 AND i.taken IS NULL
        )
        INSERT INTO bare_log (conversation, seq, event) SELECT conversation, last, $3 FROM counter`,
        [conversation, id, JSON.stringify(event)],
      );
    },

    close: () => sql.end(),
  };
}
