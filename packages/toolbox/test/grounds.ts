import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A root with links of every kind, beside files that the tools must never touch. */
export interface Grounds {
  /** The folder that the host names: `root` itself, or the project whose sandbox folder is `root`. */
  host: string;
  root: string;
  outside: string;
  sibling: string;
}

/** Creates the folders anew for every test of the file and removes them after it. */
export function grounds(access: "project" | "sandbox" = "project"): Grounds {
  const made = { host: "", root: "", outside: "", sibling: "" };
  let base = "";
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "cogency-toolbox-")));
    const root = access === "project" ? join(base, "root") : join(base, "root", ".cogency", "sandbox");
    const [outside, sibling] = [join(root, "..", "outside"), `${root}-evil`];
    Object.assign(made, { host: join(base, "root"), root, outside, sibling });
    await layOut(made);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));
  return made;
}

/** Everything below a folder: each path with its content, or null for a folder. */
export async function contents(folder: string): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path.slice(folder.length + 1)] = entry.isFile() ? await readFile(path, "utf8") : null;
  }
  return found;
}

async function layOut({ root, outside, sibling }: Grounds): Promise<void> {
  for (const folder of [join(root, "src", "deep"), join(outside, "folder"), sibling]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFile(join(root, "config.json"), '{"api": "old.com"}');
  await writeFile(join(root, "src", "main.ts"), 'import "./deep/part.ts";\n');
  await writeFile(join(root, "src", "deep", "part.ts"), "export const part = 1;\n");
  await writeFile(join(outside, "secret.txt"), "SECRET");
  await writeFile(join(sibling, "secret.txt"), "SECRET");
  const links: Record<string, string> = {
    "inside-file": "config.json",
    "inside-folder": "src",
    "link-file": "../outside/secret.txt",
    "link-file-absolute": join(outside, "secret.txt"),
    "link-folder": "../outside",
    "link-sibling": sibling,
    "link-chain": "link-folder",
    "link-etc": "/etc",
    "link-up": "..",
    "link-dangling": "../outside/none.txt",
    "link-dangling-inside": "none.txt",
    "link-loop": "link-loop",
    "src/link-up": "../..",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  execFileSync("mkfifo", [join(root, "pipe")]);
}
