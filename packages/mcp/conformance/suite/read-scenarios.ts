import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What the checks of a scenario came to. */
export interface Scenario {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  /** Of the checks that did not pass, and what our client said then. */
  readonly messages: readonly string[];
}

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  errorMessage?: string;
}

/** The scenarios that the suite has written into a folder, by their names. */
export async function readScenarios(folder: string): Promise<Map<string, Scenario>> {
  const scenarios = new Map<string, Scenario>();
  for await (const file of glob("**/checks.json", { cwd: folder })) {
    const name = nameIn(dirname(file));
    const checks = JSON.parse(await readFile(join(folder, file), "utf8")) as Check[];
    const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
    const wrong = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    const said = wrong.length > 0 || count("SUCCESS") === 0 ? await saidBy(join(folder, dirname(file))) : [];
    scenarios.set(name, {
      passed: count("SUCCESS"),
      failed: count("FAILURE"),
      warned: count("WARNING"),
      messages: [...wrong.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ""}`), ...said],
    });
  }
  return scenarios;
}

/** What our client wrote to its standard error, in one line. */
async function saidBy(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, "stderr.txt"), "utf8").catch(() => "");
  return text.trim() === "" ? [] : [`The client said: ${text.trim().replaceAll("\n", " ").slice(0, 500)}`];
}

/** `server-tools-list-2026-11-29T02-53-01-226Z` is `tools-list`. Some servers' scenarios begin with `server-` themselves. */
function nameIn(folder: string): string {
  const name = folder.replaceAll("\\", "/").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
  return name.replace(/^server-/, "");
}
