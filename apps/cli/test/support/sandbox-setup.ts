import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { isolation } from "./isolation.ts";

/**
 * A global setup of vitest. If commands cannot be isolated here, the tests that need it are skipped and one line says so;
 * with COGENCY_REQUIRE_BWRAP=1 the run fails instead.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const { isolated, problem, advice } = await isolation();
  const excuse = skippedExcuse(project);
  if (isolated) return () => {};
  const reason = `No sandbox: ${problem}`;
  if (process.env.COGENCY_REQUIRE_BWRAP === "1") {
    throw new Error(`${reason}, and COGENCY_REQUIRE_BWRAP is set. ${advice}`);
  }
  return () => excuse.leave(reason, String(advice));
}
