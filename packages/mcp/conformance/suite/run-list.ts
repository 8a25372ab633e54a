import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type List, requiredBy } from "./lists.ts";
import { readScenarios, type Scenario } from "./read-scenarios.ts";
import { runSuite } from "./run-suite.ts";
import { textProblems } from "./text-problems.ts";
import { withServer } from "./with-server.ts";

export interface ListResult {
  /** Required scenarios that passed. */
  readonly passed: number;
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[];
}

/** Milliseconds of one scenario. The suite runs those of a client side by side, on a machine that may be busy. */
const patience = 240_000;

/** Runs one list of the suite, and judges each scenario by the checks that it wrote, not by what the suite says about it. */
export async function runList(list: List): Promise<ListResult> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const options = ["--requirements", list.revision, "--output-dir", folder, "--timeout", String(patience)];
  try {
    if (list.role === "client") {
      await runSuite(["client", ...clientCommand, ...options]);
      return judge(list, await runAgain(list, await readScenarios(folder)));
    }
    return await withServer(async (address) => {
      await runSuite(["server", "--url", address, ...options]);
      return judge(list, await readScenarios(folder), await textProblems(address));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const clientCommand = ["--command", "node client.ts"];
const mostAgain = 4;

/**
 * Runs the scenarios of a client that failed a second time, one after another: the suite runs all at once, and on a machine that is too
 * busy for that its servers close connections in the middle. More than four that fail are no accident.
 */
async function runAgain(list: List, ran: ReadonlyMap<string, Scenario>): Promise<ReadonlyMap<string, Scenario>> {
  const failed = (await requiredBy(list)).filter((name) => problemOf(name, ran.get(name)) !== undefined);
  if (failed.length === 0 || failed.length > mostAgain) return ran;
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    for (const name of failed) {
      const options = ["--scenario", name, "--spec-version", list.revision, "--output-dir", folder];
      await runSuite(["client", ...clientCommand, ...options, "--timeout", String(patience)]);
    }
    return new Map([...ran, ...(await readScenarios(folder))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param others what else is wrong */
export async function judge(
  list: List,
  ran: ReadonlyMap<string, Scenario>,
  others: readonly string[] = [],
): Promise<ListResult> {
  const required = await requiredBy(list);
  const wrong = required.flatMap((name) => problemOf(name, ran.get(name)) ?? []);
  const isFrozen = required.length === list.scenarios;
  const length = isFrozen ? [] : [`The suite requires ${required.length} scenarios, and not ${list.scenarios}.`];
  return { passed: required.length - wrong.length, problems: [...length, ...wrong, ...others] };
}

function problemOf(name: string, scenario: Scenario | undefined): string | undefined {
  if (!scenario) return `${name} was not run.`;
  const { passed, failed, warned, messages } = scenario;
  if (failed + warned === 0 && passed > 0) return undefined;
  const counts = `${passed} passed, ${failed} failed, ${warned} warnings`;
  return `${name}: ${counts}.${messages.map((message) => `\n    ${message}`).join("")}`;
}
