import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { treeDiff } from "@cogency/toolbox/files";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type ChangedFile, type Changes, changedFile } from "./changed-file.ts";

/**
 * What the files of a folder hold that its last commit does not. Nothing of the project runs for it; see `treeDiff`.
 *
 * @throws UsageError outside of a repository, and without git
 */
export async function treeChanges(root: string): Promise<Changes> {
  const given = resolve(root);
  const diff = await treeDiff({ given, base: realpathSync(given) });
  if ("problem" in diff) throw new UsageError(oneLine(diff.message, 300));
  const notes = diff.isCut ? ["More was changed than can be shown: the rest is left out."] : [];
  return { since: "since the last commit", files: filesIn(diff.text), notes };
}

/** Reads a diff of git, file by file. A line of it ends with \n alone: what a file holds may be other ends of lines. */
export function filesIn(diff: string): ChangedFile[] {
  return diff
    .split(/(?<=\n)(?=diff --git )/)
    .filter((section) => /^diff --git /.test(section))
    .map((section) => {
      const body = section.search(/(?<=\n)(?:@@|--- |Binary files )/);
      const head = body < 0 ? section : section.slice(0, body);
      const patch = body < 0 ? "" : section.slice(body);
      return changedFile(nameIn(section), changeIn(head), patch.startsWith("Binary") ? "It is no text." : patch);
    });
}

function changeIn(head: string): ChangedFile["change"] {
  if (/^new file mode /m.test(head)) return "created";
  if (/^deleted file mode /m.test(head)) return "deleted";
  return /^rename to /m.test(head) ? "renamed" : "changed";
}

function nameIn(section: string): string {
  const [, after] = /^\+\+\+ b\/(.*?)\t?$/m.exec(section) ?? /^rename to (.*)$/m.exec(section) ?? [];
  if (after !== undefined) return after;
  const [, before] = /^--- a\/(.*?)\t?$/m.exec(section) ?? [];
  if (before !== undefined) return before;
  // Both names are the same, since it is neither renamed nor has a diff of lines.
  const [, names = ""] = /^diff --git (.*)$/m.exec(section) ?? [];
  return names.slice(names.length / 2 + 1).replace(/^b\//, "");
}
