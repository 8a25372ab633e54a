import type { Case } from "./case.ts";
import { allCases } from "./cases/all-cases.ts";
import { ConformanceError } from "./conformance-error.ts";
import { type CaseReport, type ConformanceReport, reportOf } from "./conformance-report.ts";
import { type OtherProcess, startOtherProcess } from "./process/other-process.ts";
import type { Declarations, StoreUnderTest } from "./tested-store.ts";
import { within } from "./within.ts";

/** Creates an empty store. Called once per case. */
export type MakeStore = () => Promise<StoreUnderTest>;

/** One case of the kit. */
export interface ConformanceCase {
  name: string;
  /** Milliseconds. A runner with a shorter timeout may fail a case that would pass on a slow machine. */
  timeout: number;
  /** Rejects with a sentence that states the expectation if the store breaks the contract. Does nothing if declared. */
  run(): Promise<void>;
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
  const reports: CaseReport[] = [];
  for (const testCase of casesWith(declare)) {
    const start = performance.now();
    const outcome = await runCase(testCase, make, declare).catch((error: unknown) => ({
      status: "failed" as const,
      reason: messageOf(error),
    }));
    reports.push({ name: testCase.name, ...outcome, duration: performance.now() - start });
  }
  const report = reportOf(name, reports);
  if (reports.some(({ status }) => status === "failed")) throw new ConformanceError(report);
  return report;
}

/**
 * Returns the cases for any test runner:
 * `for (const { name, run, timeout } of storeConformance("mine", make)) it(name, { timeout }, run)`. They are
 * independent of each other. The largest moves about 10 MB.
 *
 * @param name the name of the store, for the errors of `run`
 */
export function storeConformance(name: string, make: MakeStore, declare: Declarations = {}): ConformanceCase[] {
  return casesWith(declare).map((testCase) => ({
    name: testCase.name,
    timeout: timeoutOf(testCase) + cleaning,
    async run() {
      await runCase(testCase, make, declare).catch((error: unknown) => {
        throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
      });
    },
  }));
}

/** Milliseconds to close a store and to remove its data. */
const cleaning = 20_000;

function casesWith(declare: Declarations): Case[] {
  return [
    { name: "only cases of the kit are declared", run: async () => refuseUnknownDeclarations(declare) },
    ...allCases,
  ];
}

function refuseUnknownDeclarations(declare: Declarations): void {
  const known = new Set(allCases.map(({ name }) => name));
  const unknown = Object.keys(declare).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`The kit has no case ${unknown.map((name) => `"${name}"`).join(", ")}.`);
  const bare = Object.entries(declare).find(([, reason]) => reason.trim() === "");
  if (bare) throw new Error(`The declared case "${bare[0]}" needs a reason.`);
}

function timeoutOf({ timeout = 180_000 }: Case): number {
  return timeout;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Outcome = { status: "passed" } | { status: "declared"; reason: string };

async function runCase(testCase: Case, make: MakeStore, declare: Declarations): Promise<Outcome> {
  const reason = Object.hasOwn(declare, testCase.name) ? declare[testCase.name] : undefined;
  if (reason !== undefined) return { status: "declared", reason };
  const made = await make();
  const { elsewhere, patience = 20_000 } = made;
  const processes: OtherProcess[] = [];
  let current = made.store;
  try {
    const missing = testCase.needs?.find((need) => made[need] === undefined);
    if (missing)
      throw new Error(`The store under test has no \`${missing}\`. Return it from \`make\`, or declare the case.`);
    const done = testCase.run({
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
    await within(done, timeoutOf(testCase), "The case did not end");
  } finally {
    await Promise.all(processes.map((one) => one.end()));
    await current.close().finally(() => made.dispose?.());
  }
  return { status: "passed" };
}

/** Milliseconds that a process may take to start on a busy machine. */
const starting = 30_000;
