import type { Store } from "../store.ts";
import { appendChecks } from "./append-checks.ts";
import type { Check } from "./check.ts";
import { isolationChecks } from "./isolation-checks.ts";
import { lifecycleChecks } from "./lifecycle-checks.ts";
import { listingChecks } from "./listing-checks.ts";
import { loadChecks } from "./load-checks.ts";
import { roundTripChecks } from "./round-trip-checks.ts";

/** One case of the suite: `run` rejects, with a sentence that says what was expected, if the store breaks the contract. */
export interface ConformanceCase {
  name: string;
  run(): Promise<void>;
}

/** What a case works on. Every case asks for a new one. */
export interface StoreUnderTest {
  /** An empty store. */
  store: Store;
  /**
   * Opens the same data again; the case closes the store before. Left out by a store whose data ends with it: the cases
   * that would reopen then go on with the open store.
   */
  reopen?(): Promise<Store>;
  /** Removes whatever the case left; called after every store was closed, also when the case failed. */
  dispose?(): Promise<void>;
}

/**
 * The contract of `Store` as cases for any test runner: `for (const { name, run } of storeConformance(make)) it(name, run)`.
 * The cases are independent of each other; the largest moves about 10 MB.
 */
export function storeConformance(make: () => Promise<StoreUnderTest>): ConformanceCase[] {
  return checks.map(({ name, check }) => ({ name, run: () => runCheck(check, make) }));
}

const checks: Check[] = [
  ...appendChecks,
  ...roundTripChecks,
  ...loadChecks,
  ...isolationChecks,
  ...listingChecks,
  ...lifecycleChecks,
];

async function runCheck(check: Check["check"], make: () => Promise<StoreUnderTest>): Promise<void> {
  const subject = await make();
  let current = subject.store;
  try {
    await check(current, async () => {
      if (!subject.reopen) return current;
      await current.close();
      current = await subject.reopen();
      return current;
    });
  } finally {
    await current.close();
    await subject.dispose?.();
  }
}
