import { basename, dirname } from "node:path";
import { ToolboxError } from "../errors.ts";
import { withFolder } from "../files/confine/confined-folder.ts";
import { unifiedDiff } from "../files/write/unified-diff.ts";
import { stateAt } from "./file-state.ts";
import type { Restorable } from "./plan.ts";

/** What became of a file, link or folder. */
export interface FileChange {
  /** The real path of its root. */
  root: string;
  /** Relative to its root, with `/` between names; absolute outside of it. */
  file: string;
  change: "changed" | "created" | "deleted";
  /** A unified diff of at most about 2,000 lines for a text, or a sentence for what is none. Empty for a folder, and where only the mode changed. */
  diff: string;
}

const changes = { change: "changed", remove: "created", create: "deleted" } as const;
const mostLines = 2000;

/** @param most bytes of a file that is compared */
export async function fileChanges(files: readonly Restorable[], most: number): Promise<FileChange[]> {
  const found: FileChange[] = [];
  // One after another: their contents are not in memory together.
  for (const file of files) {
    const { root, file: name, action } = file;
    if (file.now.kind === "folder" || file.target.kind === "folder") continue;
    found.push({ root, file: name, change: changes[action], diff: await diffOf(file, most) });
  }
  return found.sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function diffOf({ opened, real, file, target, now, bytes }: Restorable, most: number): Promise<string> {
  if (now.kind === "link") return `${file}: a link to ${now.target}\n`;
  if (target.kind === "link") return `${file}: it was a link to ${target.target}\n`;
  if (target.kind === "file" && now.kind === "file" && target.hash === now.hash) return "";
  const before = target.kind === "file" ? textOf(bytes) : undefined;
  const after = now.kind === "missing" ? "" : textOf(await bytesAt(opened, real, most));
  const isText = after !== undefined && (before !== undefined || target.kind === "missing");
  return isText ? unifiedDiff(file, before, after, mostLines) : `${file}: it is no text\n`;
}

/** Undefined for a file that was changed or removed just now. */
async function bytesAt(root: Restorable["opened"], real: string, most: number): Promise<Uint8Array | undefined> {
  try {
    return await withFolder(root, dirname(real), async (folder) => (await stateAt(folder, basename(real), most)).bytes);
  } catch (error) {
    if (error instanceof ToolboxError) return undefined;
    throw error;
  }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
