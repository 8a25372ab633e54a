import { mkdirSync } from "node:fs";
import type { Outcome } from "@tooling/checks/outcome";
import { outcomeWithout } from "./check-runtime.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { StartedProcesses } from "./started-processes.ts";

export interface BrowserCheck {
  title: string;
  /** What has been shown if nothing failed. */
  note: string;
  executable: Executable | undefined;
  /** Gets the profile of the browser. */
  folder: string;
  /** Further flags of the browser's command line. */
  flags?: readonly string[];
  /** Errors of a page that belong to the check. */
  expected?: RegExp;
  /** Milliseconds for all of it. Defaults to 120,000. */
  limit?: number;
  use(surroundings: Surroundings): Promise<void>;
}

interface Surroundings {
  browser: Chromium;
  processes: StartedProcesses;
  /** What is being done, for the message of a failure. */
  doing: { what: string };
}

/** Drives a page in Chromium. Fails also for errors in the page that nobody caught, and for what its security policy refused. */
export async function checkInBrowser(check: BrowserCheck): Promise<Outcome> {
  const { title, note, executable, folder, flags, expected, limit = 120_000, use } = check;
  if (!executable) return outcomeWithout(title);
  mkdirSync(folder, { recursive: true });
  const processes = new StartedProcesses();
  const doing = { what: "the browser starts" };
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(new Error(`nothing more came within ${limit / 1000} s`)), limit);
  let browser: Chromium | undefined;
  const problems: string[] = [];
  const work = async () => {
    browser = await startChromium(processes, executable, folder, flags);
    await use({ browser, processes, doing });
  };
  try {
    await Promise.race([work(), overdue.promise]);
  } catch (error) {
    problems.push(`while ${doing.what}: ${error instanceof Error ? error.message : error}`);
  } finally {
    clearTimeout(timer);
    await processes.end();
  }
  problems.push(...[...(browser?.errors ?? [])].filter((error) => !expected?.test(error)));
  return { item: `${title} ${browser?.version ?? ""}`.trim(), note: problems.length > 0 ? "" : note, problems };
}
