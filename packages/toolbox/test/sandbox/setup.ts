import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { findIsolation } from "../../src/sandbox/bubblewrap.ts";

/**
 * A global setup of vitest. If this machine cannot isolate programs, it prints one line, and the tests that need it are skipped.
 * With COGENCY_REQUIRE_BWRAP=1 the run fails instead.
 */
export default function setup(project: TestProject): () => void {
  const isolation = findIsolation();
  const excuse = skippedExcuse(project);
  if (isolation.isolated) return () => {};
  const reason = `No sandbox: ${isolation.problem}`;
  if (process.env.COGENCY_REQUIRE_BWRAP === "1") {
    throw new Error(`${reason}, and COGENCY_REQUIRE_BWRAP is set. ${isolation.advice}`);
  }
  return () => excuse.leave(reason, isolation.advice);
}
