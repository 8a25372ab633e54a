/** The resources that a call holds while it runs. */
export interface Claim {
  readonly keys: readonly string[];
  /** Whether other shared claims may hold the same keys at the same time, as calls that only read do. */
  readonly shared: boolean;
}

/**
 * For each call, the indexes of the earlier calls that must end before it begins. A shared claim waits for the last exclusive
 * claim of its keys; an exclusive claim waits for the shared ones since, or else for the last exclusive one. Calls wait only
 * for earlier calls, so there is no deadlock and no overtaking, however many keys a call has.
 *
 * @example
 * const write = { keys: ["a"], shared: false };
 * const read = { keys: ["a"], shared: true };
 * callOrder([write, read, read, write]); // [[], [0], [0], [1, 2]]
 */
export function callOrder(claims: readonly Claim[]): number[][] {
  const holders = new Map<string, { exclusive: number[]; shared: number[] }>();
  return claims.map(({ keys, shared }, call) => {
    const before = new Set<number>();
    for (const key of new Set(keys)) {
      const holder = holders.get(key) ?? { exclusive: [], shared: [] };
      const waitsFor = shared || holder.shared.length === 0 ? holder.exclusive : holder.shared;
      for (const earlier of waitsFor) before.add(earlier);
      if (shared) holder.shared.push(call);
      holders.set(key, shared ? holder : { exclusive: [call], shared: [] });
    }
    return [...before];
  });
}
