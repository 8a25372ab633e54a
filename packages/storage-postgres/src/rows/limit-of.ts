/** A count as an SQL LIMIT. PostgreSQL takes NULL for no limit. */
export function limitOf(count: number): number | null {
  return count === Number.POSITIVE_INFINITY ? null : count;
}
