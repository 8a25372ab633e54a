import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";

const names = ["a", "b", "c", "d/a", "d/b", "d/e/a", "d", "f", "f/g"] as const;

/** What a command does to a path. */
export type Deed =
  | { does: "write" | "append" | "link" | "move"; path: string; word: string }
  | { does: "cut" | "delete" | "folder"; path: string }
  | { does: "mode"; path: string; mode: number };

const path = fc.constantFrom(...names);
const word = fc.constantFrom("one", "two\n", "three\r\n", "");

export const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ does: fc.constantFrom("write", "append", "link", "move"), path, word }),
  fc.record({ does: fc.constantFrom("cut", "delete", "folder"), path }),
  fc.record({ does: fc.constant("mode"), path, mode: fc.constantFrom(0o600, 0o644, 0o755, 0o700) }),
) as fc.Arbitrary<Deed>;

/** What does not fit what is there does nothing, as a failed command. */
export async function doDeed(root: string, deed: Deed): Promise<void> {
  const at = join(root, deed.path);
  const doing: Record<Deed["does"], () => Promise<unknown>> = {
    write: async () => {
      await rm(at, { recursive: true, force: true });
      await writeFile(at, "word" in deed ? deed.word : "");
    },
    append: () => appendFile(at, "word" in deed ? deed.word : ""),
    cut: () => truncate(at, 1),
    delete: () => rm(at, { recursive: true }),
    folder: async () => {
      if (await isFile(at)) await rm(at);
      await mkdir(at, { recursive: true });
    },
    link: async () => {
      await rm(at, { recursive: true, force: true });
      await symlink("word" in deed && deed.word !== "" ? `../${deed.word.trim()}` : "a", at);
    },
    move: () => rename(at, join(root, `${deed.path}-moved`)),
    mode: () => chmod(at, "mode" in deed ? deed.mode : 0o644),
  };
  await doing[deed.does]().catch(() => {});
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

/** Each path below a folder with its kind, mode and content. */
export async function treeOf(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    // A crash may leave one.
    if (/^\.cogency-.*\.tmp$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const mode = ((await lstat(path)).mode & 0o777).toString(8);
    const shown = path.slice(root.length + 1);
    if (entry.isSymbolicLink()) found[shown] = `link to ${await readlink(path)}`;
    else found[shown] = entry.isFile() ? `${mode} ${JSON.stringify(await readFile(path, "utf8"))}` : `${mode} folder`;
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
