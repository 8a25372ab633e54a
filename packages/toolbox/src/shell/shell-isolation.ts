import type { Root } from "../files/confine/root.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import { findIsolation, type Isolation } from "../sandbox/bubblewrap.ts";
import { unconfinable } from "../sandbox/mounts/plan-mounts.ts";
import type { ShellOptions } from "./shell-options.ts";

/** Whether commands run in a sandbox of the operating system. */
export interface ShellIsolation {
  isolated: boolean;
  /** Why they do not; absent if the host turned the sandbox off. */
  problem?: string;
  /** Says what a person can do about it. */
  advice?: string;
}

type IsolationOptions = Pick<ShellOptions, "sandbox">;

/**
 * Returns whether `shell` with this root and these options runs commands in a sandbox on this machine. Some roots cannot be
 * confined although others can. Bubblewrap is tried once per process; later calls reuse the result.
 */
export async function shellIsolation(root: Root, options: IsolationOptions = {}): Promise<ShellIsolation> {
  checkRoot("shellIsolation", root);
  checkOptionsOf("shellIsolation", options);
  const isolation = isolationFor(root, options);
  if (isolation === undefined) return { isolated: false };
  if (isolation.isolated) return { isolated: true };
  const { problem, advice } = isolation;
  return { isolated: false, problem, advice };
}

/** @returns undefined if the host turned the sandbox off */
export function isolationFor(root: Root, { sandbox = "auto" }: IsolationOptions): Isolation | undefined {
  if (sandbox === "off") return undefined;
  const isolation = findIsolation();
  const problem = isolation.isolated ? unconfinable(root) : undefined;
  return problem === undefined ? isolation : { isolated: false, problem, advice: "Choose another root." };
}
