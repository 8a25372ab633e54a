import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspacePackage } from "./workspace.ts";

/** Calls `use` with a fresh folder and removes it afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // The compiler resolves links; paths are compared with what it says.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packs a package as it would be published and returns the path of the tarball in `folder`. */
export function pack(owner: WorkspacePackage, folder: string): string {
  const printed = output("pnpm", ["pack", "--json", "--pack-destination", folder], owner.folder);
  return (JSON.parse(printed) as { filename: string }).filename;
}

/** Unpacks a tarball of npm's into `folder`, which need not exist yet. */
export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  output("tar", ["-xzf", tarball, "--strip-components=1"], folder);
}

function output(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw new Error(`${command} cannot be started (${error.message}); run this check as a script of pnpm.`);
  if (status !== 0) throw new Error(`${command} ${args[0]} failed in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}
