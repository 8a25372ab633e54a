import { expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/index.ts";
import { storeConformance, withoutProcesses, withoutReopen } from "../../src/testkit/index.ts";

/** A way to break the contract, and a pattern of the cases of which at least one must fail. */
export type Defect = [defect: string, noticedBy: RegExp, spoil: (store: Store) => Partial<Store>];

/** Not to be taken for noticed: these cases fail in any store of this process. */
const declared = { ...withoutReopen, ...withoutProcesses };

/** Adds a test for each defect. It runs only the named cases: with the defect, other cases might never end. */
export function notice(defects: readonly Defect[], dispose?: () => void): void {
  it.each(defects)("%s", async (_, noticedBy, spoil) => {
    const make = async () => {
      const store = memoryStore();
      return { store: { ...store, ...spoil(store) }, patience: 500, dispose: async () => dispose?.() };
    };
    const cases = storeConformance("spoilt", make, declared);
    const failed: string[] = [];
    for (const { name, run } of cases.filter(({ name }) => noticedBy.test(name))) {
      await run().catch(() => failed.push(name));
    }
    expect(failed).not.toEqual([]);
  });
}
