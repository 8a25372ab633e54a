import type { Access } from "@cogency/toolbox";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOf } from "../base/scope-of.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { counted, oneLine, visible, widthOr } from "../base/terminal/text.ts";
import { changeRow } from "../person/show/diff-lines.ts";
import { findConversation, latestIn } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { type Changes, changeText, diffLinesOf } from "../work/changes/changed-file.ts";
import { treeChanges } from "../work/changes/tree-changes.ts";
import { turnChanges } from "../work/changes/turn-changes.ts";

export interface DiffCommandOptions {
  store: string;
  /** The number of a turn; the last one if absent. */
  since?: string;
  /** What the last commit does not hold, in place of what a conversation has changed. */
  tree?: true;
  /** How far the agent's tools reach: what it changed beyond that is not shown. */
  access: Access;
  /** Where the agent's folder is now, if it has moved. */
  root?: string;
}

/**
 * `cogency diff`: what the last turn of a conversation has changed in files, or what the folder holds that its last commit does not.
 *
 * @throws UsageError for a conversation or a turn that there is not; with `tree`, outside of a repository
 */
export async function diffCommand(wanted: string | undefined, options: DiffCommandOptions): Promise<void> {
  const { tree, since, root, store: place, access } = options;
  if (tree) {
    if (wanted !== undefined || since !== undefined)
      throw new UsageError("--tree shows the folder, not a conversation: leave the conversation and --since out.");
    return print(await treeChanges(root ?? "."));
  }
  if (since !== undefined && !/^\d{1,6}$/.test(since))
    throw new UsageError("--since takes the number of a turn, such as 2.");
  await print(
    await withHistory({ store: place }, async (store) => {
      const conversation =
        wanted === undefined ? await latestIn(scopeOf("."), store) : await findConversation(wanted, store, place);
      if (conversation === undefined)
        throw new UsageError("No conversation was begun in this folder yet. Name one: cogency diff <conversation>.");
      return turnChanges({ conversation, store, place, root, access }, since);
    }),
  );
}

/** The diff goes to stdout, and what is said of it to stderr. */
async function print({ since, files, notes }: Changes): Promise<void> {
  const { stdout } = process;
  note(files.length === 0 ? `No file was changed ${since}.` : `${counted(files.length, "file")} changed ${since}:`);
  for (const file of files) note(`${oneLine(file.file, 300)}: ${changeText(file)}`);
  for (const text of notes) note(text);
  const shown = (line: string) => (stdout.isTTY ? changeRow(line, widthOr(stdout, 160), stdout) : visible(line));
  const lines = diffLinesOf(files).map(shown);
  if (lines.length > 0) await put(`${lines.join("\n")}\n`);
}
