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
import type { Case, Need } from "./case.ts";
import { allCases } from "./cases/all-cases.ts";
import { startOtherWorker } from "./process/other-worker.ts";
import type { DispatcherUnderTest } from "./tested-dispatcher.ts";

/** Makes a dispatcher with an empty queue and an empty store. Called once per case. */
export type MakeDispatcher = () => Promise<DispatcherUnderTest>;

/** One case of the kit, for any test runner. */
export interface ConformanceCase extends BaseCase<Promise<void>> {
  /** What the case needs beyond the contract: one that starts processes or restarts a server takes seconds. */
  needs: readonly Need[];
  /** Milliseconds. A runner with a shorter timeout may fail a case that would pass on a slow machine. */
  timeout: number;
}

/**
 * Runs the cases one after another, each with a dispatcher of its own.
 *
 * @param name the name of the dispatcher, for the table
 * @param declare the cases that do not apply; every other case must pass
 * @throws ConformanceError `not_conformant` with the report if a case failed
 */
export async function runDispatcherConformance(
  name: string,
  make: MakeDispatcher,
  declare: Declarations = {},
): Promise<ConformanceReport> {
  return runConformance(kit, name, () => ({ make, declare }));
}

/**
 * Returns the cases for any test runner:
 * `for (const { name, run, timeout } of dispatcherConformance("mine", make)) it(name, { timeout }, run)`. They are independent of each
 * other, and mostly wait.
 *
 * @param name the name of the dispatcher, for the errors of `run`
 */
export function dispatcherConformance(
  name: string,
  make: MakeDispatcher,
  declare: Declarations = {},
): ConformanceCase[] {
  return conformanceCases(kit, name, () => ({ make, declare })).map((one) => {
    const known = allCases.find((each) => each.name === one.name);
    return { ...one, needs: known?.needs ?? [], timeout: timeoutOf(known) + cleaning };
  });
}

/** Milliseconds to end workers, and to remove the data of a case. */
const cleaning = 30_000;
/** Milliseconds that a process may take to start on a busy machine. */
const starting = 30_000;

interface Harness {
  /** Not called for a declared case. */
  make: MakeDispatcher;
  declare: Declarations;
}

const kit: Kit<Case, Harness> = {
  subject: "dispatcher",
  cases: allCases,
  async run(one, { make }) {
    const made = await make();
    const { elsewhere, restart, patience = 20_000 } = made;
    const ending = new AbortController();
    const cleanings: (() => Promise<unknown>)[] = [async () => made.dispose?.()];
    const afterwards = (clean: () => Promise<unknown>) => void cleanings.push(clean);
    try {
      checkNeeds(one.needs, (need) =>
        made[need] ? undefined : `\`make\` returned no \`${need}\` for the dispatcher.`,
      );
      const done = one.check({
        patience,
        over: ending.signal,
        afterwards,
        async open() {
          const opened = await made.open();
          afterwards(() => opened.close());
          return opened;
        },
        async startElsewhere(options) {
          if (!elsewhere) throw new Error("The case does not say that it needs `elsewhere`.");
          const worker = startOtherWorker(elsewhere, options);
          afterwards(() => worker.end());
          await within(worker.ready, Math.max(patience, starting), "A worker in another process did not begin");
          return worker;
        },
        async restart() {
          if (!restart) throw new Error("The case does not say that it needs `restart`.");
          await restart();
        },
      });
      await within(done, timeoutOf(one), "The case did not end");
    } finally {
      ending.abort();
      for (const clean of cleanings.reverse()) await clean().catch(() => {});
    }
  },
};

function timeoutOf({ timeout = 120_000 }: Partial<Case> = {}): number {
  return timeout;
}
