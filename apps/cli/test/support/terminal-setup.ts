import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { hasPseudoTerminal } from "./pseudo-terminal.ts";
import { hasFish, hasZsh } from "./shells.ts";
import { hasTmux } from "./tmux-terminal.ts";

/**
 * A global setup of vitest. If the programs that make terminals, or shells, are missing, the tests that need them are skipped and one
 * line says so; with COGENCY_REQUIRE_TERMINALS=1 the run fails instead.
 */
export default function setup(project: TestProject): () => void {
  const excuse = skippedExcuse(project);
  const programs = { "script (util-linux)": hasPseudoTerminal, tmux: hasTmux, zsh: hasZsh, fish: hasFish };
  const missing = Object.entries(programs)
    .flatMap(([name, isThere]) => (isThere ? [] : [name]))
    .join(" and ");
  if (missing === "") return () => {};
  if (process.env.COGENCY_REQUIRE_TERMINALS === "1")
    throw new Error(`Tests of terminals and shells: ${missing} cannot be found, and COGENCY_REQUIRE_TERMINALS is set.`);
  return () => excuse.leave(`Tests of terminals and shells: without ${missing}`, "Install them.");
}
