import type { ToolContext } from "@cogency/tools";
import { ToolboxError } from "../../errors.ts";
import type { ChangeKeeper, Keeping, NewContent } from "../../undo/change-keeper.ts";
import type { Root } from "../confine/root.ts";

/** Of tools that change files, and of `shell`. */
export interface ChangeOptions {
  /** Keeps what the tool replaces, or a command may change. Without it nothing is kept. */
  undo?: ChangeKeeper | undefined;
}

/** Changes files once the keeper, if there is one, has kept what they hold. `change` must change all of them or throw. */
export async function keptChange<T>(
  root: Root,
  { undo }: ChangeOptions,
  context: ToolContext,
  files: readonly NewContent[],
  change: (keeping: Keeping | undefined) => Promise<T>,
): Promise<T> {
  const keeping = await undo?.keep(root, context, files);
  try {
    context.signal.throwIfAborted();
    const result = await change(keeping);
    await keeping?.done();
    return result;
  } catch (error) {
    // What is neither done nor discarded is compared with the files when it is undone.
    if (!(error instanceof ToolboxError && error.code === "partly_changed")) await keeping?.discard();
    throw error;
  }
}
