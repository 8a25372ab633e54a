import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runNode } from "../run-node.ts";
import type { CommandProblem } from "./packed-commands.ts";
import type { Installation } from "./packed-install.ts";

/** The compiler of the workspace. */
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

/** Makes each package that `cogency init` offers with the packed command, builds it with the packed packages and runs its tests. */
export async function templateProblems({ packages, consumer }: Installation): Promise<CommandProblem[]> {
  const problems: CommandProblem[] = [];
  for (const owner of packages) {
    const { bin } = owner.manifest;
    const file = typeof bin === "object" ? bin.cogency : undefined;
    if (file === undefined) continue;
    const found = await Promise.all(
      ["provider", "tool", "extension", "store"].map((kind) => problemOf(kind, join(owner.folder, file), consumer)),
    );
    problems.push(...found.filter((problem) => problem !== undefined).map((problem) => ({ owner, problem })));
  }
  return problems;
}

async function problemOf(kind: string, command: string, consumer: string): Promise<string | undefined> {
  const folder = join(consumer, `made-${kind}`);
  const made = await runNode([command, "init", kind, "sea-gull", "--folder", folder], consumer);
  if (made.code !== 0) return `init ${kind} fails (exit code ${made.code})`;
  const built = await runNode([tsc, "-p", folder], consumer);
  if (built.code !== 0) return `what init ${kind} makes does not build:\n${built.stdout}`;
  const { code, stdout } = await runNode(["--test", "--test-reporter=tap", "dist/*.test.js"], folder);
  if (code === 0 && /^# pass [1-9]/m.test(stdout)) return undefined;
  return `the tests of what init ${kind} makes fail:\n${stdout}`;
}
