import { homedir } from "node:os";
import type { Tool } from "@cogency/tools";
import { isInside, type Root } from "../files/confine/root.ts";
import { realPath } from "../sandbox/find-program.ts";
import type { ShellOptions } from "./shell-options.ts";

/**
 * Whether a sandbox with this root and these options holds a command: it reads and writes below the root alone, and reaches nothing
 * but the hosts that its call names. A root with a home folder in it holds nothing, because many programs obey the files there. Nor does
 * one with this very program in it: a command could change what runs outside of the sandbox.
 */
export function holdsCommands(
  root: Root,
  { network, readable = [] }: Pick<ShellOptions, "network" | "readable">,
): boolean {
  const homes = [homedir(), process.env.HOME ?? ""].filter((path) => path.startsWith("/")).map(realPath);
  const holdsHome = homes.some((home) => isInside(root.path, home));
  const holdsProgram = ownFiles().some((file) => isInside(root.path, file));
  return root.access !== "system" && network !== "full" && readable.length === 0 && !holdsHome && !holdsProgram;
}

/** CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;

/** Files of the program that runs: that of Node, the one that it was started with, and this one. */
function ownFiles(): string[] {
  return [process.execPath, process.argv[1] ?? "", thisFile].filter((path) => path.startsWith("/")).map(realPath);
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
