/** A count as a LIMIT: SQLite takes a negative one for none. */
export function limitOf(count: number): number {
  return count === Number.POSITIVE_INFINITY ? -1 : count;
}
