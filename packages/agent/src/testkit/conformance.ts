import {
  type MakeHarness as AnyMakeHarness,
  type ConformanceCase as BaseCase,
  type ConformanceReport,
  checkNeeds,
  conformanceCases,
  type Kit,
  runConformance,
} from "@cogency/protocol/testkit";
import { allCases } from "./cases/all-cases.ts";
import type { DriverCase } from "./driver-case.ts";
import type { DriverHarness } from "./harness.ts";
import { createSubject } from "./subject.ts";

/** Called for each case, so that each has a harness of its own. */
export type MakeHarness = AnyMakeHarness<DriverHarness>;

/** One case of the kit, for any test runner. */
export type ConformanceCase = BaseCase<Promise<void>>;

/**
 * Runs every case, one after another, each with a harness of its own.
 *
 * @param name the driver's name, for the table
 * @throws ConformanceError `not_conformant`, with the report, if a case failed
 */
export async function runDriverConformance(name: string, make: MakeHarness): Promise<ConformanceReport> {
  return runConformance(kit, name, make);
}

/**
 * The cases for any test runner: `for (const { name, run } of driverConformance("mine", make)) it(name, run)`. They are
 * independent of each other.
 *
 * @param name the driver's name, for the errors of `run`
 */
export function driverConformance(name: string, make: MakeHarness): ConformanceCase[] {
  return conformanceCases(kit, name, make);
}

const kit: Kit<DriverCase, DriverHarness> = {
  subject: "driver",
  cases: allCases,
  async run({ needs, check }, harness) {
    checkNeeds(needs, (need) =>
      need === "refusals" && !harness.writeBadly ? "The harness has no `writeBadly`." : undefined,
    );
    await check(createSubject(harness));
  },
};
