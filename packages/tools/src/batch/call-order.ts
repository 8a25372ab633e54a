/** What a call lays hold of while it runs. */
export interface Claim {
  readonly keys: readonly string[];
  /** Whether other shared claims may hold the same keys at the same time. */
  readonly shared: boolean;
}

/**
 * For each call the earlier calls that have to end before it begins: a shared claim waits for the last exclusive one
 * of its keys, an exclusive claim for everything since. As calls only ever wait for earlier ones, any number of keys a
 * call cannot make a deadlock, and nobody overtakes.
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
