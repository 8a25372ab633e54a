import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../system-error.ts";
import { hashOf } from "./file-state.ts";
import { flushFolder } from "./flush-folder.ts";
import type { JournalSeal } from "./journal-seal.ts";
import { linkPacks } from "./kept/pack.ts";
import type { JournalLine } from "./records.ts";

/** Whose copies. */
export interface UndoKey {
  conversation: string;
  user?: string | undefined;
}

/** The name of a conversation's folder. It is a hash, so that no name of a conversation leads elsewhere. */
export function folderName({ conversation, user }: UndoKey): string {
  return createHash("sha256")
    .update(JSON.stringify([user ?? null, conversation]))
    .digest("hex");
}

/** A copy, as it takes room. */
export interface Copy {
  path: string;
  size: number;
  /** When it was last needed, in milliseconds. */
  used: number;
}

/**
 * The copies of one conversation and its journal, in a folder that only the user may open. A copy is named after the hash of its
 * bytes, so that equal contents stand there once.
 */
export class CopyFolder {
  readonly path: string;
  readonly #seal: JournalSeal;

  constructor(path: string, seal: JournalSeal) {
    this.path = path;
    this.#seal = seal;
  }

  /** Writes a copy and flushes it to disk. @returns how many bytes it takes more than before */
  async put(hash: string, bytes: Uint8Array): Promise<number> {
    const place = join(this.path, hash);
    const there = await stat(place).catch(() => undefined);
    if (there?.isFile() && there.size === bytes.length) {
      const now = new Date();
      await utimes(place, now, now);
      return 0;
    }
    await this.#make();
    const temporary = join(this.path, `.${randomUUID()}.tmp`);
    try {
      const handle = await open(temporary, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, place);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return bytes.length;
  }

  /** The bytes of a copy; undefined if it was dropped, and "damaged" if it is not what was kept. */
  async get(hash: string): Promise<Uint8Array | "damaged" | undefined> {
    try {
      const handle = await open(join(this.path, hash), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const bytes = await handle.readFile();
        return hashOf(bytes) === hash ? bytes : "damaged";
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      return "damaged";
    }
  }

  /** Adds lines in one write and flushes them, with the names of the copies before them. */
  async append(lines: readonly JournalLine[], { isFlushed = true } = {}): Promise<void> {
    // The line end at the beginning ends a line that a power failure has cut off.
    const texts = await Promise.all(lines.map((line) => this.#seal.seal(line)));
    const text = texts.map((sealed) => `\n${sealed}\n`).join("");
    await this.#make();
    const handle = await open(join(this.path, journalName), "a", 0o600);
    try {
      await handle.writeFile(text);
      if (isFlushed) await handle.sync();
    } finally {
      await handle.close();
    }
    if (isFlushed) await flushFolder(this.path);
  }

  /** The lines of the journal, and how many cannot be read or were not signed by this installation. */
  async lines(): Promise<{ lines: JournalLine[]; unreadable: number }> {
    let text: string;
    try {
      text = await readFile(join(this.path, journalName), "utf8");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return { lines: [], unreadable: 0 };
      throw error;
    }
    const sealed = text.split("\n").filter((line) => line !== "");
    const read = await Promise.all(sealed.map((line) => this.#seal.open(line)));
    const lines = read.filter((line) => line !== undefined);
    return { lines, unreadable: read.length - lines.length };
  }

  /** Copies the lines that are chosen into another folder, which must not exist, with the copies that they name. */
  async copyTo(other: CopyFolder, choose: (lines: readonly JournalLine[]) => readonly JournalLine[]): Promise<void> {
    const lines = choose((await this.lines()).lines);
    if (lines.length === 0) return;
    await mkdir(other.path, { mode: 0o700 });
    const files = lines.flatMap((line) => (line.kind === "change" ? line.files : []));
    const states = files.flatMap(({ before, after }) => [before, after]);
    const hashes = new Set(states.flatMap((state) => (state.kind === "file" ? (state.hash ?? []) : [])));
    for (const hash of hashes) await link(join(this.path, hash), join(other.path, hash)).catch(() => {});
    if (lines.some(({ kind }) => kind === "command")) await linkPacks(this.path, other.path);
    await other.append(lines);
  }

  async #make(): Promise<void> {
    const made = await mkdir(this.path, { recursive: true, mode: 0o700 });
    if (made !== undefined) await flushFolder(dirname(this.path));
  }

  /** @returns whether there was anything */
  async remove(): Promise<boolean> {
    const hadAny = (await namesIn(this.path)).length > 0;
    await rm(this.path, { recursive: true, force: true });
    return hadAny;
  }
}

const journalName = "journal.jsonl";

/** The copies in the folder of a conversation, without the journal. */
export async function copiesIn(folder: string): Promise<Copy[]> {
  const found: Copy[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    // What a killed process left takes room, too.
    const isCopy = isHash(name) || name.endsWith(".tmp");
    const stats = isCopy ? await stat(path).catch(() => undefined) : undefined;
    if (stats) found.push({ path, size: stats.size, used: stats.mtimeMs });
  }
  return found;
}

export function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
