import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "../output-of.ts";
import type { WorkspacePackage } from "../workspace.ts";

/** Calls `use` with a fresh folder and removes it afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // Resolves links, because the compiler reports real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  try {
    return await use(folder);
  } finally {
    // A browser that was just killed may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Packs a package as for publishing. Returns the path of the tarball in `folder`. */
export function pack(owner: WorkspacePackage, folder: string): string {
  const printed = outputOf("pnpm", ["pack", "--json", "--pack-destination", folder], owner.folder);
  return (JSON.parse(printed) as { filename: string }).filename;
}

/** Unpacks a tarball into `folder`, without its top folder. Creates `folder` if needed. */
export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  outputOf("tar", ["-xf", tarball, "--strip-components=1"], folder);
}
