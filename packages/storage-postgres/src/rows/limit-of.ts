/** A count as a LIMIT, for which PostgreSQL takes NULL for all. */
export function limitOf(count: number): number | null {
  return count === Number.POSITIVE_INFINITY ? null : count;
}
