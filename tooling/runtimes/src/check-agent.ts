import type { Outcome } from "@tooling/checks/outcome";
import { type AgentBundle, bundleAgent } from "./bundle-agent.ts";
import { outcomeWithout } from "./check-runtime.ts";
import type { Executable } from "./executable.ts";
import { openPage } from "./open-page.ts";
import type { Report } from "./report.ts";

/** The programs of `program/agent`. */
const agentDrivers = ["text", "native", "react", "scripted"] as const;

/** The runs of `program/agent/runs.js`. */
const runCount = 3;
/** The packages of others that an agent may bring. An SDK of a model's maker is none of them. */
const mayBring = ["@cfworker/json-schema"];

/** Bundles an agent of each driver, and runs it in a page and in a worker of the browser. */
export async function checkAgents(browser: Executable | undefined, site: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const driver of agentDrivers) {
    const bundle = () => bundleAgent(driver, site);
    const open = browser && ((page: string) => openPage(browser, page, site));
    outcomes.push(...(await checkAgent(driver, bundle, open)));
  }
  return outcomes;
}

/** Checks the bundle of one driver, and what its page and its worker report. */
export async function checkAgent(
  driver: string,
  bundle: () => Promise<AgentBundle>,
  open: ((page: string) => Promise<Report>) | undefined,
): Promise<Outcome[]> {
  const title = `Agent, ${driver}`;
  if (!open) return [outcomeWithout(title)];
  const failed = (item: string, error: unknown): Outcome => {
    return { item, note: "", problems: [error instanceof Error ? error.message : String(error)] };
  };
  let bundled: AgentBundle;
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
      outcomes.push({ item, note, problems: problemsOf(report, how, bundled) });
    } catch (error) {
      outcomes.push(failed(`${title}, ${how}`, error));
    }
  }
  return outcomes;
}

function problemsOf({ how, passed, failures }: Report, wanted: Report["how"], { others }: AgentBundle): string[] {
  const problems = [...failures];
  if (how !== wanted) problems.push(`should be a ${wanted}`);
  const count = passed + failures.length;
  if (count !== runCount) problems.push(`made ${count} of ${runCount} runs`);
  const brought = others.filter((name) => !mayBring.includes(name));
  if (brought.length > 0) problems.push(`brings ${brought.join(", ")}`);
  return problems;
}
