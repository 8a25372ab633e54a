import type { Outcome } from "@tooling/checks/outcome";
import { bundleProgram } from "./bundle-program.ts";
import { checkBundle } from "./check-bundle.ts";
import type { Executable } from "./executable.ts";
import { openPage } from "./open-page.ts";

/** The programs of `program/agent`. */
const agentDrivers = ["text", "native", "react", "scripted"] as const;

/** Bundles an agent of each driver, and runs it in a page and in a worker of the browser. */
export async function checkAgents(browser: Executable | undefined, site: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const driver of agentDrivers) {
    const check = {
      title: `Agent, ${driver}`,
      // The runs of `program/agent/runs.js`.
      runCount: 3,
      // An SDK of a model's maker is none of them.
      mayBring: ["@cfworker/json-schema"],
      bundle: () => bundleProgram(`agent/${driver}`, site),
      open: browser && ((page: string) => openPage(browser, page, site)),
    };
    outcomes.push(...(await checkBundle(check)));
  }
  return outcomes;
}
