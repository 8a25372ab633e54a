import { existsSync } from "node:fs";
import type { Store } from "@cogency/storage";
import { storeFolder } from "../../place/store/store-folder.ts";
import { undoFolder } from "../../place/store/undo-folder.ts";
import { undoKeys } from "./undo-keys.ts";

/**
 * Lets a fork read all that the commands of its log have printed, and undo what the calls of its log changed, and nothing that the original
 * changes later: those files it leaves, as files that a person changed.
 *
 * @param place where the store is
 * @returns a sentence for the person if the copies cannot be made: the fork is there all the same
 */
export async function carryCopies(
  from: string,
  fork: string,
  store: Store,
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
  const events = await store.load({ conversation: fork }, { types: ["call"] });
  const calls = new Set(events.flatMap((event) => (event.type === "call" ? (event.id ?? []) : [])));
  try {
    await openUndo({ folder, keyRing: undoKeys }).copy({ conversation: from }, { conversation: fork }, calls);
    return undefined;
  } catch (error) {
    const { code = "an unknown problem" } = error as NodeJS.ErrnoException;
    return `What the agent changed before the fork cannot be undone in it (${code}), only in the original.`;
  }
}
