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
import type { ProviderHarness, WireHarness } from "./harness.ts";
import type { Need, ProviderCase } from "./provider-case.ts";
import { createSubject, isWire, type Subject } from "./subject.ts";

/** Called for each case, so that each has a harness of its own. */
export type MakeHarness<Harness extends ProviderHarness = ProviderHarness> = AnyMakeHarness<Harness>;

/** One case of the kit, for any test runner. */
export type ConformanceCase = BaseCase<Promise<void>>;

/**
 * Runs every case, one after another, each with a harness of its own.
 *
 * @param name the provider's name, for the table
 * @throws ConformanceError `not_conformant`, with the report, if a case failed
 */
export function runProviderConformance(name: string, make: MakeHarness<WireHarness>): Promise<ConformanceReport>;
export function runProviderConformance(name: string, make: MakeHarness): Promise<ConformanceReport>;
export async function runProviderConformance(name: string, make: MakeHarness): Promise<ConformanceReport> {
  return runConformance(kit, name, make);
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
  return conformanceCases(kit, name, make);
}

const kit: Kit<ProviderCase, ProviderHarness> = {
  subject: "provider",
  cases: allCases,
  async run(one, harness) {
    const { subject, close } = await createSubject(harness);
    try {
      await check(one, subject);
    } finally {
      await close();
    }
  },
};

async function check(one: ProviderCase, subject: Subject): Promise<void> {
  checkNeeds(one.needs, (need) => missing(need, subject));
  if (one.on === "any") return one.check(subject);
  if (!isWire(subject))
    throw new Error("The harness has no `wire`. If the provider speaks to no server, declare the case.");
  return one.check(subject);
}

function missing(need: Need, subject: Subject): string | undefined {
  if (need === "attachments") {
    const { attachments = [] } = subject.answering().capabilities;
    return attachments.length > 0 ? undefined : "The provider's capabilities have no attachments.";
  }
  if (need === "tools" || need === "reasoning" || need === "thinking" || need === "format") {
    return subject.answering().capabilities[need] ? undefined : `The provider's capabilities have no ${need}.`;
  }
  if (!isWire(subject)) return undefined;
  const { failure, contentType = "text/event-stream" } = subject.wire;
  if (need === "failure" && !failure) return "The wire has no `failure`.";
  if (need === "event_stream" && !contentType.startsWith("text/event-stream"))
    return "The wire is not an event stream.";
  return undefined;
}
