/** A count as an SQL LIMIT. SQLite takes a negative number for no limit. */
export function limitOf(count: number): number {
  return count === Number.POSITIVE_INFINITY ? -1 : count;
}
