import type { Outcome } from "@tooling/checks/outcome";
import type { Report } from "./report.ts";

/** One way to run the package. */
export interface Runtime {
  name: string;
  /** Undefined if any version is accepted. */
  version?: string;
  how: Report["how"];
  /** Undefined if the runtime is not available. */
  run: (() => Promise<Report>) | undefined;
}

/** What the program of a runtime must report. */
export interface Wanted {
  count: number;
  /** What it counts, such as `vectors`. */
  of: string;
}

/** Runs the package in one runtime. Fails if another runtime answers, or if a part of what is wanted did not run. */
export async function checkRuntime(runtime: Runtime, wanted: Wanted, platform?: string): Promise<Outcome> {
  const item = title(runtime);
  if (!runtime.run) return outcomeWithout(item, platform);
  try {
    const report = await runtime.run();
    return {
      item: title(report),
      note: `${report.passed} ${wanted.of} passed`,
      problems: [...identityProblems(report, runtime), ...countProblems(report, wanted)],
    };
  } catch (error) {
    return { item, note: "", problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What is said of a runtime that is not available: a failure where there is a build of it. */
export function outcomeWithout(item: string, platform = `${process.platform}-${process.arch}`): Outcome {
  return platform === completePlatform
    ? { item, note: "", problems: ["was not installed; remove tooling/runtimes/engines/node_modules and try again"] }
    : { item, note: `skipped: there is no build for ${platform}`, problems: [] };
}

/** The platform for which the registry has a build of every runtime. */
const completePlatform = "linux-x64";

/** The most failures that are printed: many vectors often fail for one reason. */
const shownFailures = 3;

function identityProblems(report: Report, { name, version = report.version, how }: Runtime): string[] {
  const wanted = title({ name, version, how });
  return title(report) === wanted ? [] : [`should be ${wanted}`];
}

function countProblems({ passed, failures }: Report, wanted: Wanted): string[] {
  const problems = failures.slice(0, shownFailures);
  if (failures.length > shownFailures) problems.push(`${failures.length - shownFailures} more ${wanted.of} failed`);
  const count = passed + failures.length;
  if (count === 0 || count !== wanted.count) problems.push(`ran ${count} of ${wanted.count} ${wanted.of}`);
  return problems;
}

function title({ name, version, how }: Pick<Runtime, "name" | "version" | "how">): string {
  return `${[name, version].join(" ").trim()}, ${how}`;
}
