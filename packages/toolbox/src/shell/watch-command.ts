import type { ToolContext } from "@cogency/tools";
import type { Root } from "../files/confine/root.ts";
import { watchRunsLater } from "../files/run-later/later-watch.ts";
import type { ChangeKeeper } from "../undo/change-keeper.ts";

/**
 * Looks at the root before and after a command, once for the keeper and for what runs later.
 *
 * @returns call `ended` when the command has ended: it names what the command changed that makes something run later
 */
export async function watchCommand(
  root: Root,
  context: ToolContext,
  undo: ChangeKeeper | undefined,
): Promise<{ ended(): Promise<string[]> }> {
  const [later, kept] = await Promise.all([watchRunsLater(root), undo?.watch(root, context)]);
  return {
    async ended() {
      const [changed] = await Promise.all([later.ended(), kept?.ended()]);
      return changed;
    },
  };
}
