import {
  type ConformanceCase as BaseCase,
  type ConformanceReport,
  checkNeeds,
  conformanceCases,
  type Declarations,
  type Kit,
  runConformance,
  within,
} from "@cogency/protocol/testkit";
import type { Case } from "./case.ts";
import { allCases } from "./cases/all-cases.ts";
import { type OtherProcess, startOtherProcess } from "./process/other-process.ts";
import type { StoreUnderTest } from "./tested-store.ts";

/** Creates an empty store. Called once per case. */
export type MakeStore = () => Promise<StoreUnderTest>;

/** One case of the kit, for any test runner. */
export interface ConformanceCase extends BaseCase<Promise<void>> {
  /** Milliseconds. A runner with a shorter timeout may fail a case that would pass on a slow machine. */
  timeout: number;
}

/**
 * Runs the cases one after another, each with its own store.
 *
 * @param name the name of the store, for the table
 * @param declare the cases that do not apply; every other case must pass
 * @throws ConformanceError `not_conformant` with the report if a case failed
 */
export async function runStoreConformance(
  name: string,
  make: MakeStore,
  declare: Declarations = {},
): Promise<ConformanceReport> {
  return runConformance(kit, name, () => ({ make, declare }));
}

/**
 * Returns the cases for any test runner:
 * `for (const { name, run, timeout } of storeConformance("mine", make)) it(name, { timeout }, run)`. They are
 * independent of each other. The largest moves about 10 MB.
 *
 * @param name the name of the store, for the errors of `run`
 */
export function storeConformance(name: string, make: MakeStore, declare: Declarations = {}): ConformanceCase[] {
  return conformanceCases(kit, name, () => ({ make, declare })).map((one) => ({
    ...one,
    timeout: timeoutOf(allCases.find((known) => known.name === one.name)) + cleaning,
  }));
}

/** Milliseconds to close a store and to remove its data. */
const cleaning = 20_000;
/** Milliseconds that a process may take to start on a busy machine. */
const starting = 30_000;

interface Harness {
  /** Not called for a declared case. */
  make: MakeStore;
  declare: Declarations;
}

const kit: Kit<Case, Harness> = {
  subject: "store",
  cases: allCases,
  async run(one, { make }) {
    const made = await make();
    const { elsewhere, patience = 20_000 } = made;
    const processes: OtherProcess[] = [];
    let current = made.store;
    try {
      checkNeeds(one.needs, (need) => (made[need] ? undefined : `\`make\` returned no \`${need}\` for the store.`));
      const done = one.check({
        store: current,
        patience,
        async reopen() {
          if (!made.reopen) throw new Error("The case does not say that it needs `reopen`.");
          await current.close();
          current = await made.reopen();
          return current;
        },
        async startProcess(options) {
          if (!elsewhere) throw new Error("The case does not say that it needs `elsewhere`.");
          const started = startOtherProcess(elsewhere, options);
          processes.push(started);
          await within(started.ready, Math.max(patience, starting), "Another process did not open the store");
          return started;
        },
      });
      await within(done, timeoutOf(one), "The case did not end");
    } finally {
      await Promise.all(processes.map((process) => process.end()));
      await current.close().finally(() => made.dispose?.());
    }
  },
};

function timeoutOf({ timeout = 180_000 }: Partial<Case> = {}): number {
  return timeout;
}
