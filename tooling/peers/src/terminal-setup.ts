import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { hasTerminal } from "./terminal.ts";

/** A global setup of vitest: without a program that makes terminals, the tests that need one are skipped, and one line says so. */
export default function setup(project: TestProject): () => void {
  const excuse = skippedExcuse(project);
  return hasTerminal ? () => {} : () => excuse.leave("Peers: without script (util-linux)", "Install it.");
}
