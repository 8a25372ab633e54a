import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "../output-of.ts";
import type { WorkspacePackage } from "../workspace.ts";

/** Calls `use` with a fresh folder and removes it afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // The compiler resolves links; paths are compared with what it says.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  try {
    return await use(folder);
  } finally {
    // A browser that was killed a moment ago may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Packs a package as it would be published and returns the path of the tarball in `folder`. */
export function pack(owner: WorkspacePackage, folder: string): string {
  const printed = outputOf("pnpm", ["pack", "--json", "--pack-destination", folder], owner.folder);
  return (JSON.parse(printed) as { filename: string }).filename;
}

/** Unpacks a tarball into `folder`, which need not exist yet, without the folder that everything in it stands in. */
export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  outputOf("tar", ["-xf", tarball, "--strip-components=1"], folder);
}
