import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../system-error.ts";
import { flushFolder } from "../flush-folder.ts";

/** A file with many contents one after another, then the list of them, then the length of the list. It never changes. */
export interface Pack {
  path: string;
  /** Where each content is, by its hash. */
  contents: ReadonlyMap<string, Place>;
  /** In bytes. */
  size: number;
}

interface Place {
  offset: number;
  size: number;
}

/** Writes a pack. It has its name only when it is whole and on disk. */
export class PackWriter {
  readonly #folder: string;
  readonly #temporary: string;
  #handle: FileHandle | undefined;
  readonly #contents = new Map<string, Place>();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #offset = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#temporary = join(folder, `.${randomUUID()}.tmp`);
  }

  has(hash: string): boolean {
    return this.#contents.has(hash);
  }

  async add(hash: string, bytes: Uint8Array): Promise<void> {
    if (this.has(hash)) return;
    this.#contents.set(hash, { offset: this.#offset, size: bytes.length });
    this.#offset += bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= writtenAtOnce) await this.#write();
  }

  /** Undefined if nothing was added. */
  async end(): Promise<Pack | undefined> {
    if (this.#contents.size === 0) return undefined;
    const list = Buffer.from(JSON.stringify([...this.#contents].map(([hash, { size }]) => [hash, size])));
    this.#pending.push(list, Buffer.from(String(list.length).padStart(lengthDigits)));
    await this.#write();
    await this.#handle?.sync();
    await this.#close();
    const path = join(this.#folder, `${randomUUID()}${packEnd}`);
    await rename(this.#temporary, path);
    await flushFolder(this.#folder);
    return { path, contents: this.#contents, size: this.#offset + list.length + lengthDigits };
  }

  async discard(): Promise<void> {
    await this.#close().catch(() => {});
    await rm(this.#temporary, { force: true }).catch(() => {});
  }

  async #write(): Promise<void> {
    if (this.#handle === undefined) {
      const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await flushFolder(dirname(this.#folder));
      this.#handle = await open(this.#temporary, "wx", 0o600);
    }
    await this.#handle.writeFile(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

/** The packs in a folder. Files that are no whole packs are left out. */
export async function openPacks(folder: string): Promise<Pack[]> {
  const packs: Pack[] = [];
  for (const name of await packNames(folder)) {
    const pack = await openPack(join(folder, name)).catch(() => undefined);
    if (pack) packs.push(pack);
  }
  return packs;
}

export async function packNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(packEnd));
}

/** Gives a conversation the packs of another one, which take no room of their own. */
export async function linkPacks(from: string, to: string): Promise<void> {
  const [source, target] = [join(from, packsFolder), join(to, packsFolder)];
  const names = await packNames(source);
  if (names.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of names) await link(join(source, name), join(target, name)).catch(() => {});
}

/** The folder of the packs in the folder of a conversation. */
export const packsFolder = "packs";

/** The bytes of a content. The caller compares them with the hash. */
export async function readFromPack({ path, contents }: Pack, hash: string): Promise<Uint8Array | undefined> {
  const place = contents.get(hash);
  if (place === undefined) return undefined;
  return withPack(path, (handle) => readAt(handle, place));
}

/** Notes that a pack was needed now. */
export async function touchPack({ path }: Pack): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

const packEnd = ".pack";
const lengthDigits = 16;
const writtenAtOnce = 1024 * 1024;

async function openPack(path: string): Promise<Pack> {
  return withPack(path, async (handle) => {
    const { size } = await handle.stat();
    const length = Number(String(await readAt(handle, { offset: size - lengthDigits, size: lengthDigits })));
    const list = String(await readAt(handle, { offset: size - lengthDigits - length, size: length }));
    const contents = new Map<string, Place>();
    let offset = 0;
    for (const [hash, length] of JSON.parse(list) as [string, number][]) {
      contents.set(hash, { offset, size: length });
      offset += length;
    }
    return { path, contents, size };
  });
}

async function withPack<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, { offset, size }: Place): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, offset);
  return bytes.subarray(0, bytesRead);
}
