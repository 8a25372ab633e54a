import { existsSync } from "node:fs";
import { storeFolder } from "../../place/store/store-folder.ts";
import { undoFolder } from "../../place/store/undo-folder.ts";
import { undoKeys } from "./undo-keys.ts";

/**
 * Lets a fork read all that the commands of its log have printed, and undo what the calls of its log changed, and nothing that the original
 * changes later: those files it leaves, as files that a person changed. What an attempt that was killed has left of it is replaced.
 *
 * @param calls the ids of the calls of its log; undefined if it also takes back what was undone in the original
 * @param place where the store is
 * @returns a sentence for the person if the copies cannot be made: the fork can begin all the same
 */
export async function carryCopies(
  from: string,
  fork: string,
  calls: ReadonlySet<string> | undefined,
  place: string,
): Promise<string | undefined> {
  const outputs = storeFolder(place, "outputs");
  if (outputs !== undefined && existsSync(outputs)) {
    const { openKeptOutput } = await import("@cogency/toolbox/shell");
    const copying = openKeptOutput({ folder: outputs }).copy({ conversation: from }, { conversation: fork });
    // What cannot be copied is cut in the fork: its model reads that nothing more is kept.
    await copying.catch(() => {});
  }
  const folder = undoFolder(place);
  if (folder === undefined || !existsSync(folder)) return undefined;
  const { openUndo } = await import("@cogency/toolbox/undo");
  const undo = openUndo({ folder, keyRing: undoKeys });
  try {
    await undo.forget({ conversation: fork });
    await undo.copy({ conversation: from }, { conversation: fork }, calls);
    return undefined;
  } catch (error) {
    const { code = "an unknown problem" } = error as NodeJS.ErrnoException;
    return `What the agent changed before the fork cannot be undone in it (${code}), only in the original.`;
  }
}

/** Removes the copies of a fork that has not begun. */
export async function dropCopies(fork: string, place: string): Promise<void> {
  const outputs = storeFolder(place, "outputs");
  if (outputs !== undefined && existsSync(outputs)) {
    const { openKeptOutput } = await import("@cogency/toolbox/shell");
    await openKeptOutput({ folder: outputs }).forget({ conversation: fork });
  }
  const folder = undoFolder(place);
  if (folder === undefined || !existsSync(folder)) return;
  const { openUndo } = await import("@cogency/toolbox/undo");
  await openUndo({ folder, keyRing: undoKeys }).forget({ conversation: fork });
}
