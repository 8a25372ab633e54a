import type { Pool } from "./connect.ts";
import { rowsOf } from "./sending.ts";

/**
 * Runs a transaction on a connection of its own. It does not use `begin` of `postgres` 3.4.9: if the connection breaks inside,
 * that throws an error outside of every promise, which ends the process.
 *
 * @param work sends statements one after another; if it rejects, nothing is changed
 * @param signal ends the connection
 */
export async function inTransaction(
  pool: Pool,
  work: (query: Pool["query"]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let isBroken = false;
  const onclose = () => {
    isBroken = true;
    giveUp();
  };
  const giveUp = () => void end().catch(() => {});
  const { sql, end } = pool.connectBeside({ settings: { idle_timeout: 0, max_lifetime: null, onclose } });
  signal.addEventListener("abort", giveUp);
  const query: Pool["query"] = async (text, parameters) => {
    // The client would connect again, outside of the transaction.
    if (isBroken) throw Object.assign(new Error("the connection is lost"), { code: "CONNECTION_CLOSED" });
    return rowsOf(sql.unsafe(text, [...parameters], { prepare: parameters.length > 0 }));
  };
  try {
    await query("BEGIN", []);
    await work(query);
    await query("COMMIT", []);
  } finally {
    signal.removeEventListener("abort", giveUp);
    await end();
  }
}
