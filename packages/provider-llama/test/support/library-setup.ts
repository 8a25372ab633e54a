import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { isRequired, libraryProblem } from "./describe-llama.ts";

/**
 * A global setup of vitest. If llama.cpp cannot be loaded on this machine, the tests that need it are skipped and one line says so; with
 * COGENCY_REQUIRE_LLAMA=1 the run fails instead.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const problem = await libraryProblem();
  const excuse = skippedExcuse(project);
  if (problem === undefined) return () => {};
  const advice = "Install the optional dependencies of node-llama-cpp, which hold llama.cpp for this machine.";
  if (isRequired) throw new Error(`No llama.cpp: ${problem}, and COGENCY_REQUIRE_LLAMA is set. ${advice}`);
  return () => excuse.leave(`No llama.cpp: ${problem}`, advice);
}
