import type { Lease, Renewal, Store } from "../store.ts";
import { createAlarm } from "./alarm.ts";

/** Renews leases of one store together. */
export interface LeaseKeeper {
  /**
   * Renews the lease until the returned function is called, or the lease is lost. Add it when it was granted or renewed;
   * it is then renewed after about a third of its `ttl`. A renewal that fails is tried again; if none succeeds in time,
   * the lease is lost (`lost` says so). Does not keep the process alive.
   */
  add(lease: Pick<Lease, "token" | "ttl">): () => void;
}

/** Returns the keeper of the store, which renews all leases that are due with one call. A store has one keeper. */
export function keepLeases(store: Pick<Store, "renew">): LeaseKeeper {
  const keeper = keepers.get(store) ?? createKeeper(store);
  keepers.set(store, keeper);
  return keeper;
}

const keepers = new WeakMap<object, LeaseKeeper>();

interface Kept {
  readonly token: number;
  readonly ttl: number;
  /** The time of `performance.now()` of the next renewal. */
  dueAt: number;
}

function createKeeper(store: Pick<Store, "renew">): LeaseKeeper {
  const kept = new Set<Kept>();
  const alarm = createAlarm(renewDue);

  return {
    add({ token, ttl }) {
      const one: Kept = { token, ttl, dueAt: performance.now() + ttl / 3 };
      kept.add(one);
      alarm.set(one.dueAt);
      return () => forget(one);
    },
  };

  function renewDue(): void {
    const now = performance.now();
    // Also those that are due soon, so that leases of different moments come together.
    const due = [...kept].filter(({ ttl, dueAt }) => dueAt <= now + ttl / 6);
    // The next renewal does not wait for this one, which may hang.
    for (const one of due) one.dueAt = now + one.ttl / 3;
    for (const { dueAt } of kept) alarm.set(dueAt);
    if (due.length > 0) void renew(due);
  }

  function forget(one: Kept): void {
    kept.delete(one);
    if (kept.size === 0) alarm.stop();
  }

  async function renew(due: readonly Kept[]): Promise<void> {
    let answer: Renewal | undefined;
    try {
      answer = await store.renew(due);
    } catch (error) {
      if ((error as { code?: unknown } | undefined)?.code === "closed") kept.clear();
    }
    const renewed = new Set(answer?.renewed);
    const lost = new Set(answer?.lost);
    for (const one of due) {
      if (lost.has(one.token)) forget(one);
      if (renewed.has(one.token) || !kept.has(one)) continue;
      one.dueAt = Math.min(one.dueAt, performance.now() + one.ttl / 12);
      alarm.set(one.dueAt);
    }
  }
}
