import { isInside, type Root } from "../files/confine/root.ts";
import { checkOptionsOf } from "../options.ts";
import { programOutside } from "../sandbox/program-outside.ts";
import { type Git, runGit } from "./run-git.ts";
import { type RepositoryPlaces, withShadow } from "./shadow-repository.ts";
import type { TreeDiffOptions } from "./tree-diff-options.ts";

/** `text` is a unified diff as git writes it, without colours; empty if nothing was changed. `isCut`: it has more than `most` bytes. */
export type TreeDiff =
  | { readonly text: string; readonly isCut: boolean }
  /** `no_git`: git is not on the PATH. `no_repository`: the folder is in none. `failed`: git could not do it; `message` says why. */
  | { readonly problem: "no_git" | "no_repository" | "failed"; readonly message: string };

/**
 * What the files below a folder hold that its last commit does not, also new files that git does not ignore. Paths are relative to the
 * folder. Nothing of the repository is changed, and git takes its settings from none: whatever `.git/config` and attributes say, no hook,
 * filter, monitor, pager or program for diffs runs. Submodules are left out.
 *
 * @throws the reason of the signal when it aborts
 */
export async function treeDiff(root: Pick<Root, "base" | "given">, options: TreeDiffOptions = {}): Promise<TreeDiff> {
  checkOptionsOf("treeDiff", options);
  const { signal, most = 4 * 1_048_576 } = options;
  const program = programOutside("git", root);
  if (program === undefined) return { problem: "no_git", message: "git was not found on the PATH." };
  const git: Git = { program, folder: root.base, signal };
  const places = await placesOf(git);
  if (places === undefined || !isInside(places.top, root.base))
    return { problem: "no_repository", message: "The folder is in no git repository that git gives access to." };
  return withShadow(places, async (shadow) => {
    const of = [`--git-dir=${shadow}`, `--work-tree=${places.top}`];
    const added = await runGit(git, [...of, "add", "--intent-to-add", "--ignore-errors", "--", "."], most);
    const base =
      places.head ?? (await runGit(git, [...of, "hash-object", "-t", "tree", "/dev/null"], most)).text.trim();
    const diff = await runGit(git, [...of, ...asked, base, "--", "."], most);
    if (diff.ended !== "failed") return { text: diff.text, isCut: diff.ended === "cut" };
    return { problem: "failed", message: diff.message || added.message || "git ended with an error." };
  });
}

const asked = [
  ...["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--find-renames", "-l200", "--relative"],
];

async function placesOf(git: Git): Promise<RepositoryPlaces | undefined> {
  const paths = ["index", "objects", "info/exclude"].flatMap((name) => ["--git-path", name]);
  const question = ["rev-parse", "--path-format=absolute", "--show-toplevel", ...paths, "--show-object-format"];
  const { text, ended } = await runGit(git, question, 65_536);
  const [top, index, objects, excludes, format, ...more] = text.trimEnd().split("\n");
  if (ended !== "done" || !top || !index || !objects || !excludes || !format || more.length > 0) return undefined;
  const head = await runGit(git, ["rev-parse", "--verify", "--quiet", "HEAD"], 65_536);
  const name = head.text.trim();
  return { top, index, objects, excludes, format, head: /^[0-9a-f]{40,64}$/.test(name) ? name : undefined };
}
