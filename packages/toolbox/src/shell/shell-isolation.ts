import type { Root } from "../files/confine/root.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import { findIsolation, type Isolation } from "../sandbox/bubblewrap.ts";
import { unconfinable } from "../sandbox/mounts/plan-mounts.ts";
import { holdsCommands } from "./confined-tools.ts";
import type { ShellOptions } from "./shell-options.ts";

/** Whether commands run in a sandbox of the operating system. */
export interface ShellIsolation {
  isolated: boolean;
  /**
   * Whether the sandbox holds commands, so that `isolated: "allow"` of `shellRule` counts: they read and write below the root alone, and
   * reach nothing but the hosts that a call names. False with the network `"full"`, with `readable`, with the access `"system"`, and
   * for a root with a home folder in it.
   */
  confined: boolean;
  /** Why they do not; absent if the host turned the sandbox off. */
  problem?: string;
  /** Says what a person can do about it. */
  advice?: string;
}

type IsolationOptions = Pick<ShellOptions, "sandbox" | "network" | "readable">;

/**
 * Returns whether `shell` with this root and these options runs commands in a sandbox on this machine. Some roots cannot be
 * confined although others can. Bubblewrap is tried once per process; later calls reuse the result.
 */
export async function shellIsolation(root: Root, options: IsolationOptions = {}): Promise<ShellIsolation> {
  checkRoot("shellIsolation", root);
  checkOptionsOf("shellIsolation", options);
  const isolation = isolationFor(root, options);
  if (isolation === undefined) return { isolated: false, confined: false };
  if (isolation.isolated) return { isolated: true, confined: holdsCommands(root, options) };
  const { problem, advice } = isolation;
  return { isolated: false, confined: false, problem, advice };
}

/** @returns undefined if the host turned the sandbox off */
export function isolationFor(
  root: Root,
  { sandbox = "auto" }: Pick<IsolationOptions, "sandbox">,
): Isolation | undefined {
  if (sandbox === "off") return undefined;
  const isolation = findIsolation({}, root);
  const problem = isolation.isolated ? unconfinable(root) : undefined;
  return problem === undefined ? isolation : { isolated: false, problem, advice: "Choose another root." };
}
