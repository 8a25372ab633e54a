import { homedir } from "node:os";
import type { Tool } from "@cogency/tools";
import { isInside, type Root } from "../files/confine/root.ts";
import { realPath } from "../sandbox/find-program.ts";
import type { ShellOptions } from "./shell-options.ts";

/**
 * Whether a sandbox with this root and these options holds a command: it reads and writes below the root alone, and reaches nothing
 * but the hosts that its call names. A root with a home folder in it holds nothing, because many programs obey the files there.
 */
export function holdsCommands(
  root: Root,
  { network, readable = [] }: Pick<ShellOptions, "network" | "readable">,
): boolean {
  const homes = [homedir(), process.env.HOME ?? ""].filter((path) => path.startsWith("/")).map(realPath);
  const holdsHome = homes.some((home) => isInside(root.path, home));
  return root.access !== "system" && network !== "full" && readable.length === 0 && !holdsHome;
}

/** The shell tools whose sandbox holds commands. A copy of such a tool may do something else. */
const confined = new WeakSet<object>();

export function noteConfined(tool: Tool): void {
  confined.add(tool);
}

/** Whether the sandbox of this very tool holds its commands. */
export function isConfined(tool: Tool | undefined): boolean {
  return tool !== undefined && confined.has(tool);
}
