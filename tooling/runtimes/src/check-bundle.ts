import type { Outcome } from "@tooling/checks/outcome";
import type { Bundle } from "./bundle-program.ts";
import { outcomeWithout } from "./check-runtime.ts";
import type { Report } from "./report.ts";

export interface BundleCheck {
  title: string;
  /** How many runs the program makes. */
  runCount: number;
  /** The packages of others that it may bring. */
  mayBring: readonly string[];
  bundle(): Promise<Bundle>;
  /** Undefined without a browser. */
  open: ((page: string) => Promise<Report>) | undefined;
}

/** Checks the bundle of a program, and what its page and its worker report. */
export async function checkBundle(check: BundleCheck): Promise<Outcome[]> {
  const { title, bundle, open } = check;
  if (!open) return [outcomeWithout(title)];
  const failed = (item: string, error: unknown): Outcome => {
    return { item, note: "", problems: [error instanceof Error ? error.message : String(error)] };
  };
  let bundled: Bundle;
  try {
    bundled = await bundle();
  } catch (error) {
    return [failed(title, error)];
  }
  const outcomes: Outcome[] = [];
  for (const how of ["page", "worker"] as const) {
    try {
      const report = await open(`${bundled.folder}/${how}.html`);
      const item = `${title}, ${report.name} ${report.version}, ${report.how}`;
      const note = `${report.passed} runs passed, in ${(bundled.bytes / 1000).toFixed(1)} kB`;
      outcomes.push({ item, note, problems: problemsOf(report, how, bundled, check) });
    } catch (error) {
      outcomes.push(failed(`${title}, ${how}`, error));
    }
  }
  return outcomes;
}

function problemsOf(
  { how, passed, failures }: Report,
  wanted: Report["how"],
  { others }: Bundle,
  { runCount, mayBring }: BundleCheck,
): string[] {
  const problems = [...failures];
  if (how !== wanted) problems.push(`should be a ${wanted}`);
  const count = passed + failures.length;
  if (count !== runCount) problems.push(`made ${count} of ${runCount} runs`);
  const brought = others.filter((name) => !mayBring.includes(name));
  if (brought.length > 0) problems.push(`brings ${brought.join(", ")}`);
  return problems;
}
