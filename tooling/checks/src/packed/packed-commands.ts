import { join } from "node:path";
import { runNode } from "../run-node.ts";
import type { Installation, InstalledPackage } from "./packed-install.ts";

/** A command that cannot print its help. */
export interface CommandProblem {
  owner: InstalledPackage;
  problem: string;
}

/** Runs every command of an installation's packages with `--help`. */
export async function commandProblems({ packages, consumer }: Installation): Promise<CommandProblem[]> {
  const problems: CommandProblem[] = [];
  for (const owner of packages) {
    const { name, bin = {} } = owner.manifest;
    for (const [command, file] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin)) {
      const { code, stdout } = await runNode([join(owner.folder, file), "--help"], consumer);
      if (code === 0 && stdout !== "") continue;
      problems.push({ owner, problem: `${command} --help prints nothing or fails (exit code ${code})` });
    }
  }
  return problems;
}
