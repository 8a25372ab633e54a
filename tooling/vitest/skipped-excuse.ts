import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TestProject } from "vitest/node";

/** Where the closing line of the workspace's tests looks for the reason why a run skipped some. */
const excuseFile = "node_modules/.report/skipped.txt";

/** Forgets what an earlier run of a package said about the tests that it skipped. */
export function skippedExcuse(project: TestProject) {
  const file = join(project.config.root, excuseFile);
  rmSync(file, { force: true });
  return {
    /** Says, at the end of a run that skipped tests, what this machine lacks and how to get it. */
    leave(reason: string, howToGetIt: string): void {
      const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
      const tests = modules.flatMap((module) => [...module.children.allTests("skipped")]);
      if (tests.length === 0) return;
      const what = tests.length === 1 ? "1 test" : `${tests.length} tests`;
      const line = `${reason}: ${what} of ${basename(project.config.root)} skipped. ${howToGetIt}`;
      console.log(line);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${line}\n`);
    },
  };
}
