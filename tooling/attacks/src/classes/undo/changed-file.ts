import { join } from "node:path";
import { toolbox } from "@cogency/toolbox";
import { openUndo, type UndoPlan } from "@cogency/toolbox/undo";
import { createExecutor, createRegistry } from "@cogency/tools";
import type { Place } from "../../harness/place.ts";

/** A file that the agent has changed, and the undo that can restore it. */
export interface ChangedFile {
  /** The folder of all copies. */
  copies: string;
  /** What an undo of the change would do now. */
  plan(): Promise<UndoPlan>;
  /** Undoes it. */
  restore(): Promise<void>;
  /** Undoes the last change that was made, or the last undo. @returns whether a file was restored */
  undoLast(): Promise<boolean>;
}

const key = { conversation: "c" };

/** The agent changes `root/docs/a.txt` from the text `old` to `new`. */
export async function changedFile(place: Place): Promise<ChangedFile> {
  place.put("root/docs/a.txt", "old");
  place.put("outside/a.txt", "theirs");
  const folder = join(place.outer, "copies");
  const undo = openUndo({ folder });
  const tools = await toolbox({ root: place.root, access: "project", include: ["write"], undo });
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
  const args = { file: "docs/a.txt", content: "new", overwrite: true };
  const [execution] = await executor.run([{ name: "write", args }], key);
  if (execution?.outcome !== "success") throw new Error(`The file was not written: ${execution?.error?.message}`);
  const [entry] = await undo.entries(key);
  if (!entry) throw new Error("Nothing was kept.");
  return {
    copies: folder,
    plan: () => undo.plan(key, { from: entry.id }),
    async restore() {
      await undo.undo(key, { from: entry.id });
    },
    async undoLast() {
      const last = (await undo.entries(key)).at(-1) ?? entry;
      return (await undo.undo(key, { from: last.id })).restored.length > 0;
    },
  };
}
