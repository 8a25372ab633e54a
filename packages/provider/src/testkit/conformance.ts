import { cases } from "./cases/cases.ts";
import { ConformanceError } from "./conformance-error.ts";
import { type CaseReport, type ConformanceReport, reportOf } from "./conformance-report.ts";
import type { Declarations, ProviderHarness, WireHarness } from "./harness.ts";
import type { Need, ProviderCase } from "./provider-case.ts";
import { createSubject, isWire, type Subject } from "./subject.ts";

/** Called for each case, so that each has a harness of its own. */
export type MakeHarness<Harness extends ProviderHarness = ProviderHarness> = () => Harness | Promise<Harness>;

/** One case of the kit. */
export interface ConformanceCase {
  name: string;
  /** Rejects with a sentence that says what was expected if the provider breaks the contract. Does nothing if declared. */
  run(): Promise<void>;
}

/**
 * Runs every case, one after another, each with a harness of its own.
 *
 * @param name the provider's name, for the table
 * @throws ConformanceError `not_conformant`, with the report, if a case failed
 */
export function runProviderConformance(name: string, make: MakeHarness<WireHarness>): Promise<ConformanceReport>;
export function runProviderConformance(name: string, make: MakeHarness): Promise<ConformanceReport>;
export async function runProviderConformance(name: string, make: MakeHarness): Promise<ConformanceReport> {
  const reports: CaseReport[] = [];
  for (const one of [declarationCase, ...cases]) {
    const start = performance.now();
    const outcome = await runCase(one, make).catch((error: unknown) => ({
      status: "failed" as const,
      reason: messageOf(error),
    }));
    reports.push({ name: one.name, ...outcome, duration: performance.now() - start });
  }
  const report = reportOf(name, reports);
  if (reports.some(({ status }) => status === "failed")) throw new ConformanceError(report);
  return report;
}

/**
 * The cases for any test runner: `for (const { name, run } of providerConformance("mine", make)) it(name, run)`. They
 * are independent of each other, but must not run concurrently: some measure timers and memory of the whole process.
 *
 * @param name the provider's name, for the errors of `run`
 */
export function providerConformance(name: string, make: MakeHarness<WireHarness>): ConformanceCase[];
export function providerConformance(name: string, make: MakeHarness): ConformanceCase[];
export function providerConformance(name: string, make: MakeHarness): ConformanceCase[] {
  return [declarationCase, ...cases].map((one) => ({
    name: one.name,
    async run() {
      await runCase(one, make).catch((error: unknown) => {
        throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
      });
    },
  }));
}

/** Reads only the harness, so it is not a case that could be declared. */
const declarationCase = {
  name: "only cases of the kit are declared",
  check({ declare = {} }: ProviderHarness) {
    const known = cases.map(({ name }) => name);
    const unknown = Object.keys(declare).filter((name) => !known.includes(name));
    if (unknown.length > 0) throw new Error(`The kit has no case ${unknown.map((name) => `"${name}"`).join(", ")}.`);
    const bare = Object.entries(declare).find(([, reason]) => reason.trim() === "");
    if (bare) throw new Error(`The declared case "${bare[0]}" needs a reason.`);
  },
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Outcome = { status: "passed" } | { status: "declared"; reason: string };

async function runCase(one: ProviderCase | typeof declarationCase, make: MakeHarness): Promise<Outcome> {
  const harness = await make();
  if (!("on" in one)) {
    one.check(harness);
    return { status: "passed" };
  }
  const { declare = {} }: { declare?: Declarations } = harness;
  const reason = declare[one.name];
  if (reason !== undefined) return { status: "declared", reason };
  const { subject, close } = await createSubject(harness);
  try {
    await check(one, subject);
  } finally {
    await close();
  }
  return { status: "passed" };
}

async function check(one: ProviderCase, subject: Subject): Promise<void> {
  for (const need of one.needs ?? []) {
    const problem = missing(need, subject);
    if (problem) throw new Error(`${problem} If that is right, declare the case.`);
  }
  if (one.on === "any") return one.check(subject);
  if (!isWire(subject))
    throw new Error("The harness has no `wire`. If the provider speaks to no server, declare the case.");
  return one.check(subject);
}

function missing(need: Need, subject: Subject): string | undefined {
  if (need === "tools" || need === "reasoning" || need === "format") {
    return subject.answering().capabilities[need] ? undefined : `The provider's capabilities have no ${need}.`;
  }
  if (!isWire(subject)) return undefined;
  const { failure, contentType = "text/event-stream" } = subject.wire;
  if (need === "failure" && !failure) return "The wire has no `failure`.";
  if (need === "event_stream" && !contentType.startsWith("text/event-stream"))
    return "The wire is not an event stream.";
  return undefined;
}
