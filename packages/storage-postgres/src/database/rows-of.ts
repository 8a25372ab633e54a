import type { PendingQuery, Row } from "postgres";

/**
 * The rows of a statement as arrays of columns. If `postgres` 3.4.9 loses a connection in the middle of a result, the
 * next result after the reconnect starts with a hole for each row that it had received.
 */
export async function rowsOf(query: PendingQuery<Row[]>): Promise<unknown[][]> {
  const rows: unknown[][] = await query.values();
  // `filter` skips holes.
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true);
}
