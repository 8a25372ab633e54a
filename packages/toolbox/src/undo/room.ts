import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Copy, type CopyFolder, copiesIn, isHash, namesIn } from "./copy-folder.ts";
import type { UndoLimits } from "./undo-options.ts";

/** What is kept before commands has limits of its own. */
export function commandLimits(
  { commandFile, commandTree, commandConversation, commandAll }: UndoLimits,
  { largestFile }: Room,
) {
  const tree = commandTree ?? 128 * mebibyte;
  return {
    file: Math.min(commandFile ?? 4 * mebibyte, largestFile),
    tree,
    conversation: Math.max(tree, commandConversation ?? 256 * mebibyte),
    all: commandAll ?? 1024 * mebibyte,
  };
}

/** Keeps the copies below their limits: those that were needed longest ago are dropped first. */
export class Room {
  readonly #folder: string;
  readonly #limits: Record<"conversation" | "all" | "file" | "copies", number>;
  /** What was there when it was last counted, and what came since. By folder; "" for all. */
  readonly #used = new Map<string, { bytes: number; copies: number }>();

  constructor(folder: string, { conversation, all, file, copies }: UndoLimits) {
    this.#folder = folder;
    this.#limits = {
      conversation: conversation ?? 64 * mebibyte,
      all: all ?? 512 * mebibyte,
      file: file ?? 16 * mebibyte,
      copies: copies ?? 4000,
    };
  }

  /** The largest file that is copied. */
  get largestFile(): number {
    return Math.min(this.#limits.file, this.#limits.conversation, this.#limits.all);
  }

  /** Makes room after copies were added to a conversation. Other processes count only when this one counts anew. */
  async added(folder: CopyFolder, bytes: number, copies: number): Promise<void> {
    const { conversation, all, copies: most } = this.#limits;
    await this.#keep(folder.path, bytes, copies, conversation, most, () => copiesIn(folder.path));
    await this.#keep("", bytes, copies, all, most, () => this.#all());
  }

  async #keep(
    name: string,
    bytes: number,
    copies: number,
    mostBytes: number,
    mostCopies: number,
    count: () => Promise<Copy[]>,
  ): Promise<void> {
    const known = this.#used.get(name);
    if (known !== undefined && known.bytes + bytes <= mostBytes && known.copies + copies <= mostCopies) {
      this.#used.set(name, { bytes: known.bytes + bytes, copies: known.copies + copies });
      return;
    }
    const found = (await count()).sort((a, b) => a.used - b.used);
    let used = found.reduce((sum, { size }) => sum + size, 0);
    let dropped = 0;
    for (const { path, size } of found) {
      if (used <= mostBytes && found.length - dropped <= mostCopies) break;
      await rm(path, { force: true });
      used -= size;
      dropped += 1;
    }
    this.#used.set(name, { bytes: used, copies: found.length - dropped });
  }

  async #all(): Promise<Copy[]> {
    const names = (await namesIn(this.#folder)).filter(isHash);
    const copies = await Promise.all(names.map((name) => copiesIn(join(this.#folder, name))));
    return copies.flat();
  }
}

const mebibyte = 1024 * 1024;
