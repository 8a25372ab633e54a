import { ToolboxError } from "../errors.ts";
import type { Root } from "../files/confine/root.ts";
import type { CopyFolder } from "./copy-folder.ts";
import { changedMeanwhile, isSame } from "./file-state.ts";
import { keepFiles } from "./keep-files.ts";
import { type LeftFile, type Restorable, whyLeft } from "./plan.ts";
import { removeFolders, restoreFile } from "./restore-file.ts";
import type { Room } from "./room.ts";

/**
 * Restores files of one root, each by itself, and records it under this id.
 *
 * @returns those that are left, because they have changed since they were planned or the system refuses
 */
export async function restoreFiles(
  root: Root,
  id: string,
  files: readonly Restorable[],
  parts: { copies: CopyFolder; room: Room },
): Promise<LeftFile[]> {
  const refused = new Map<string, ToolboxError>();
  const targets = files.map(({ real, target }) => ({ path: real, after: target }));
  const recorded = await keepFiles(root, { id, name: "undo" }, targets, parts, (path, error) =>
    refused.set(path, error),
  );
  for (const file of files) {
    const before = recorded.before.get(file.real);
    if (before === undefined) continue;
    try {
      if (!isSame(before, file.now)) throw changedMeanwhile(file.file);
      await restoreFile(root, file);
    } catch (error) {
      if (!(error instanceof ToolboxError)) throw error;
      refused.set(file.real, error);
    }
  }
  const namesOf = (of: readonly Restorable[]) => of.map(({ file }) => file);
  const left = files.filter(({ real }) => refused.has(real));
  const restored = files.filter(({ real }) => !refused.has(real));
  await recorded.tell("discarded", namesOf(left));
  await recorded.tell("done", namesOf(restored));
  const removed = restored.filter(({ action }) => action === "remove");
  await removeFolders(
    root,
    removed.flatMap(({ folders }) => folders),
  );
  return left.map((file) => leftAs(file, refused.get(file.real) as ToolboxError));
}

function leftAs({ root, file }: Restorable, error: ToolboxError): LeftFile {
  return { root, file, reason: error.code === "path_changed" ? "changed" : "refused", message: whyLeft(error) };
}
