import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "@tooling/checks/output-of";
import { workspaceRoot } from "@tooling/checks/workspace";
import type { Executable } from "./executable.ts";
import { withLibatomic } from "./with-libatomic.ts";

/** A runtime that is one executable file. */
export interface Engine {
  name: "Node" | "Bun" | "Deno";
  version: string;
  /** Undefined if the registry has no build for this platform, or if it could not be installed. */
  executable: Executable | undefined;
}

/** The folder of the runtimes that the check installs. */
export const enginesFolder: string = fileURLToPath(new URL("../engines", import.meta.url));

/** Installs the runtimes that `engines/package.json` pins. Takes a second if they are installed already. */
export function installEngines(): void {
  outputOf("pnpm", ["install", "--frozen-lockfile"], enginesFolder);
}

/**
 * Every Node to check, oldest first: the workspace's own and the installed ones. Missing libraries are unpacked into
 * `folder`.
 */
export function nodes(folder: string): Engine[] {
  const workspaceNode = join(workspaceRoot, "node_modules/node");
  const found = [
    { version: pinned("node-22"), file: join(enginesFolder, "node_modules/node-22", `bin/node${suffix}`) },
    { version: manifestIn(workspaceNode).version, file: join(workspaceNode, `bin/node${suffix}`) },
    { version: pinned("node-26"), file: join(enginesFolder, "node_modules/node-26", `bin/node${suffix}`) },
  ];
  return found.map(({ version, file }) => {
    return { name: "Node", version, executable: existsSync(file) ? withLibatomic(file, folder) : undefined };
  });
}

export function bun(): Engine {
  return { name: "Bun", version: pinned("bun"), executable: shipped("bun", `bin/bun${suffix}`) };
}

export function deno(): Engine {
  return { name: "Deno", version: pinned("deno"), executable: shipped("deno", `deno${suffix}`) };
}

const suffix = process.platform === "win32" ? ".exe" : "";

function manifestIn(folder: string): { version: string; optionalDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The version after the last `@`, as in `npm:node@22.13.0`. */
function pinned(name: string): string {
  return (manifestIn(enginesFolder).optionalDependencies[name] ?? "").replace(/^.*@/, "");
}

/**
 * The executable of Bun or Deno. They have one package a platform, and only the fitting one is installed beside `name`.
 */
function shipped(name: string, path: string): Executable | undefined {
  const folder = join(enginesFolder, "node_modules", name);
  if (!existsSync(folder)) return undefined;
  const { resolve } = createRequire(join(realpathSync(folder), "package.json"));
  for (const platform of Object.keys(manifestIn(folder).optionalDependencies)) {
    try {
      return { file: resolve(`${platform}/${path}`), env: {} };
    } catch {
      // The package of another platform.
    }
  }
  return undefined;
}
