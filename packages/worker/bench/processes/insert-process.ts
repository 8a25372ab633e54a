import postgres from "postgres";
import { again, serve } from "./serve.ts";

export interface InsertOptions {
  url: string;
  /** The text of an event. */
  text: string;
}

// The fewest that a log can cost: one INSERT a transaction, with a sequence number that this process counts.
await serve(async ({ url, text }: InsertOptions) => {
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} });
  let count = 0;
  let seq = 0;
  return {
    count: () => count,
    begin: () =>
      again(async (lane) => {
        await sql.unsafe("INSERT INTO bare VALUES ($1, $2, $3)", [`${process.pid} ${lane}`, ++seq, text], {
          prepare: true,
        });
        count++;
      }),
  };
});
