import { expect, it } from "vitest";
import { memoryStore, type Store } from "../src/index.ts";
import { storeConformance } from "../src/testkit/index.ts";

/** A way to break the contract, and the cases of which one has to notice. */
export type Defect = [defect: string, noticedBy: RegExp, spoil: (store: Store) => Partial<Store>];

/** A test for each defect. Cases that it does not name are left out: some would never end with it. */
export function notice(defects: readonly Defect[], dispose?: () => void): void {
  it.each(defects)("%s", { timeout: 60_000 }, async (_, noticedBy, spoil) => {
    const cases = storeConformance("spoilt", async () => {
      const store = memoryStore();
      return { store: { ...store, ...spoil(store) }, patience: 500, dispose: async () => dispose?.() };
    });
    const failed: string[] = [];
    for (const { name, run } of cases.filter(({ name }) => noticedBy.test(name))) {
      await run().catch(() => failed.push(name));
    }
    expect(failed).not.toEqual([]);
  });
}
