import type { PendingQuery, Row } from "postgres";

/**
 * The rows of a statement as lists of columns. A connection of `postgres` 3.4.9 that was lost in the midst of a result
 * leaves a hole for each row of it before the rows of its next result, after it was made again.
 */
export async function rowsOf(query: PendingQuery<Row[]>): Promise<unknown[][]> {
  const rows: unknown[][] = await query.values();
  // Passes over holes.
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true);
}
