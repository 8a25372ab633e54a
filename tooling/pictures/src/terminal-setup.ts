import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { hasTerminal } from "./chat-terminal.ts";

/** A global setup of vitest: without a program that makes terminals, the test of the chat's picture is skipped, and one line says so. */
export default function setup(project: TestProject): () => void {
  const excuse = skippedExcuse(project);
  return hasTerminal ? () => {} : () => excuse.leave("Pictures: without script (util-linux)", "Install it.");
}
