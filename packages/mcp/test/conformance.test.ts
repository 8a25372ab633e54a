import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lists, requiredBy } from "../conformance/suite/lists.ts";
import { readScenarios } from "../conformance/suite/read-scenarios.ts";
import { judge } from "../conformance/suite/run-list.ts";

const stamp = "2026-11-29T02-53-01-226Z";

async function written(scenarios: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "judge-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, statuses] of Object.entries(scenarios)) {
    const own = join(folder, `${name}-${stamp}`);
    await mkdir(own, { recursive: true });
    const checks = statuses.map((status, index) => ({ id: `check-${index}`, status }));
    await writeFile(join(own, "checks.json"), JSON.stringify(checks));
  }
  return folder;
}

describe("the judge of the conformance suite", () => {
  it.each(lists)("knows each scenario that $name requires", async (list) => {
    const required = await requiredBy(list);
    const prefix = list.role === "server" ? "server-" : "";
    const folder = await written(Object.fromEntries(required.map((name) => [prefix + name, ["SUCCESS", "INFO"]])));
    const verdict = await judge(list, await readScenarios(folder));
    expect(verdict).toEqual({ passed: list.scenarios, problems: [] });
  });

  it.each<[string, readonly string[] | undefined, string]>([
    ["has not run", undefined, "was not run"],
    ["has passed nothing of nothing", [], "0 passed, 0 failed, 0 warnings"],
    ["holds a warning alone", ["WARNING"], "0 passed, 0 failed, 1 warnings"],
    ["holds a warning beside what passed", ["SUCCESS", "WARNING"], "1 passed, 0 failed, 1 warnings"],
    ["was skipped", ["SKIPPED"], "0 passed, 0 failed, 0 warnings"],
    ["has failed", ["SUCCESS", "FAILURE"], "1 passed, 1 failed, 0 warnings"],
  ])("fails a scenario that %s", async (_, statuses, problem) => {
    const list = lists[1] as (typeof lists)[number];
    const required = await requiredBy(list);
    const scenarios = Object.fromEntries(required.map((name) => [name, ["SUCCESS"] as readonly string[]]));
    delete scenarios["auth/scope-step-up"];
    if (statuses) scenarios["auth/scope-step-up"] = statuses;
    const verdict = await judge(list, await readScenarios(await written(scenarios)));
    expect(verdict.passed).toBe(17);
    expect(verdict.problems).toEqual([expect.stringContaining(`auth/scope-step-up`)]);
    expect(verdict.problems[0]).toContain(problem);
  });

  it("fails a list of another length", async () => {
    const list = { ...(lists[1] as (typeof lists)[number]), scenarios: 19 };
    const { problems } = await judge(list, new Map());
    expect(problems[0]).toBe("The suite requires 18 scenarios, and not 19.");
  });
});
