import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isInside } from "../../files/guard/is-inside.ts";
import { parseGitConfig } from "../../files/run-later/git-config.ts";
import { commonFolder, kindAt, pointedAt } from "./git-places.ts";
import { headOf } from "./repository-state.ts";
import { smallText } from "./small-text.ts";

/**
 * Whether git runs no program because of a `.git` that a command has made: it is a whole repository, as `git init`, `git clone`
 * and `git worktree add` make it, with settings that name no program and without hooks.
 *
 * @param root the real path of the folder that a command may change
 * @param kept whether a repository was there before the command, which could not change its settings
 */
export async function isHarmlessPointer(
  pointer: string,
  root: string,
  kept: (folder: string) => boolean,
): Promise<boolean> {
  const kind = await kindAt(pointer);
  if (kind === "folder") return isHarmlessRepository(pointer, root);
  const folder = kind === "file" ? await pointedAt(pointer) : undefined;
  if (folder === undefined || !isInside(root, folder)) return false;
  const common = await commonFolder(folder);
  if (common === undefined) return isHarmlessRepository(folder, root);
  if (!isInside(root, common) || (await headOf(folder)) === undefined) return false;
  return kept(common) || isHarmlessRepository(common, root);
}

export async function isHarmlessRepository(folder: string, root: string): Promise<boolean> {
  if ((await headOf(folder)) === undefined || (await kindAt(join(folder, "commondir"))) !== undefined) return false;
  const kinds = await Promise.all(["objects", "refs", "config"].map((name) => kindAt(join(folder, name))));
  if (kinds.join() !== "folder,folder,file") return false;
  const config = await smallText(join(folder, "config"));
  return config !== undefined && parseGitConfig(config).every(isHarmlessFor(folder, root)) && hasNoHooks(folder);
}

function isHarmlessFor(folder: string, root: string) {
  return ({ key, value = "true" }: { key: string; value: string | undefined }): boolean => {
    if (key === "core.worktree") return isInside(root, resolve(folder, value));
    // `ext::` and the like name a program.
    if (/^(?:remote\..*\.(?:push)?url|submodule\..*\.url)$/s.test(key)) return !/^-|::/.test(value);
    return harmlessKeys.test(key);
  };
}

/** Settings that name no program, no other settings and no folder. */
const harmlessKeys = new RegExp(
  `^(?:${[
    "core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)",
    "core\\.(?:autocrlf|eol|safecrlf|quotepath|longpaths|sparsecheckout|sparsecheckoutcone|compression)",
    "extensions\\.(?:objectformat|refstorage|partialclone|compatobjectformat)",
    "remote\\..*\\.(?:fetch|push|tagopt|prune|mirror|promisor|partialclonefilter)",
    "branch\\..*\\.(?:remote|merge|rebase|description)|submodule\\.(?:active|.*\\.(?:active|branch|ignore))",
    "user\\.(?:name|email)|init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote)|gc\\.auto",
  ].join("|")})$`,
  "s",
);

async function hasNoHooks(folder: string): Promise<boolean> {
  const kind = await kindAt(join(folder, "hooks"));
  if (kind === undefined) return true;
  const hooks = kind === "folder" ? await readdir(join(folder, "hooks")).catch(() => undefined) : undefined;
  return hooks?.every((name) => name.endsWith(".sample")) === true;
}
