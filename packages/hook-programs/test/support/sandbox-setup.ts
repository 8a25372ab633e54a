import { tmpdir } from "node:os";
import { openRoot } from "@cogency/toolbox";
import { shellIsolation } from "@cogency/toolbox/shell";
import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";

/**
 * A global setup of vitest. If this machine cannot isolate programs, the test that needs it is skipped and one line says so; with
 * COGENCY_REQUIRE_BWRAP=1 the run fails instead.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const isolation = await shellIsolation(await openRoot(tmpdir(), { access: "project" }));
  const excuse = skippedExcuse(project);
  if (isolation.isolated) return () => {};
  const reason = `No sandbox: ${isolation.problem}`;
  if (process.env.COGENCY_REQUIRE_BWRAP === "1") {
    throw new Error(`${reason}, and COGENCY_REQUIRE_BWRAP is set. ${isolation.advice}`);
  }
  return () => excuse.leave(reason, String(isolation.advice));
}
