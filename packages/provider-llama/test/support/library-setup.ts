import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether llama.cpp can be loaded on this machine. */
    hasLlama: boolean;
  }
}

/**
 * A global setup of vitest. If llama.cpp cannot be loaded on this machine, the tests that need it are skipped and one line says so; with
 * COGENCY_REQUIRE_LLAMA=1 the run fails instead.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const problem = await libraryProblem();
  const excuse = skippedExcuse(project);
  project.provide("hasLlama", problem === undefined);
  if (problem === undefined) return () => {};
  const reason = `No llama.cpp: ${problem}`;
  const advice = "Install node-llama-cpp with its optional dependencies, which hold llama.cpp for this machine.";
  if (process.env.COGENCY_REQUIRE_LLAMA === "1")
    throw new Error(`${reason}, and COGENCY_REQUIRE_LLAMA is set. ${advice}`);
  return () => excuse.leave(reason, advice);
}

/** Why llama.cpp cannot be loaded on this machine; undefined if it can. */
async function libraryProblem(): Promise<string | undefined> {
  try {
    const { getLlama } = await import("node-llama-cpp");
    await getLlama({ dryRun: true, gpu: false, progressLogs: false, debug: false });
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  }
}
