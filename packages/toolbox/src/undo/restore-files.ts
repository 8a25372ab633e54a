import { ToolboxError } from "../errors.ts";
import type { Root } from "../files/confine/root.ts";
import type { CopyFolder } from "./copy-folder.ts";
import { changedMeanwhile, isSame } from "./file-state.ts";
import { keepFiles } from "./keep-files.ts";
import { keptOrRefused } from "./kept-or-refused.ts";
import { type LeftFile, type Restorable, whyLeft } from "./plan.ts";
import { removeFolders, restoreFile } from "./restore-file.ts";
import type { Room } from "./room.ts";
import { sideBySide } from "./side-by-side.ts";

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
  const recorded = await keptOrRefused(() =>
    keepFiles(root, { id, name: "undo" }, targets, parts, (path, error) => refused.set(path, error)),
  );
  // A file that is replaced has two names for a moment, so it is compared with all files that are out of reach: they are listed once.
  const reach = await root.guard.now();
  const restore = async (file: Restorable) => {
    const before = recorded.before.get(file.real);
    if (before === undefined) return;
    try {
      if (!isSame(before, file.now)) throw changedMeanwhile(file.file);
      await restoreFile(root, file, reach);
    } catch (error) {
      if (!(error instanceof ToolboxError)) throw error;
      refused.set(file.real, error);
    }
  };
  for (const { rank, same } of inOrder(files)) {
    if (rank === ranks.fileGoes || rank === ranks.fileComes) await sideBySide(same, restore);
    else for (const file of same) await restore(file);
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

/**
 * What is in the way goes first: files and links that are to be gone, then folders, the innermost first. Then folders come back,
 * the outermost first, and at last files and links, in folders that can be written to. Modes that forbid that come at the very end.
 */
function inOrder(files: readonly Restorable[]): { rank: number; same: Restorable[] }[] {
  return Object.values(ranks).map((rank) => {
    const isInward = rank === ranks.folderGoes || rank === ranks.folderIsReplaced;
    const same = files
      .filter((file) => rankOf(file) === rank)
      .toSorted((a, b) => (isInward ? b.real.length - a.real.length : a.real.length - b.real.length));
    return { rank, same };
  });
}

const ranks = {
  modeOpens: 0,
  fileGoes: 1,
  folderGoes: 2,
  folderIsReplaced: 3,
  folderComes: 4,
  fileComes: 5,
  modeCloses: 6,
} as const;

function rankOf({ now, target }: Restorable): number {
  if (now.kind === "folder" && target.kind === "folder")
    return (target.mode & 0o200) === 0 ? ranks.modeCloses : ranks.modeOpens;
  if (now.kind === "folder") return target.kind === "missing" ? ranks.folderGoes : ranks.folderIsReplaced;
  if (target.kind === "missing") return ranks.fileGoes;
  return target.kind === "folder" ? ranks.folderComes : ranks.fileComes;
}

function leftAs({ root, file, now }: Restorable, error: ToolboxError): LeftFile {
  if (error.code !== "path_changed") return { root, file, reason: "refused", message: whyLeft(error) };
  const message = now.kind === "folder" ? "is not removed: something is still in it" : whyLeft(error);
  return { root, file, reason: "changed", message };
}
