import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { hashOf } from "../file-state.ts";
import { openPacks, type Pack, PackWriter, packNames, packsFolder, readFromPack, touchPack } from "./pack.ts";

/** The contents that were kept before the commands of one conversation, in packs. */
export class Contents {
  readonly folder: string;
  #packs: Pack[] = [];
  #opening: Promise<void> | undefined;
  /** Changes when contents go. */
  version = 0;

  /** @param conversation the folder of the conversation */
  constructor(conversation: string) {
    this.folder = join(conversation, packsFolder);
  }

  /** Reads the lists of the packs that are there. Needed before `has` and `add`. */
  open(): Promise<void> {
    this.#opening ??= openPacks(this.folder).then((packs) => {
      this.#packs = packs;
    });
    return this.#opening;
  }

  /** Leaves out packs that another process has dropped to make room. */
  async refresh(): Promise<void> {
    const names = new Set(await packNames(this.folder));
    const packs = this.#packs.filter(({ path }) => names.has(basename(path)));
    if (packs.length < this.#packs.length) this.version += 1;
    this.#packs = packs;
  }

  has(hash: string): boolean {
    return this.#packs.some(({ contents }) => contents.has(hash));
  }

  get size(): number {
    return this.#packs.reduce((sum, { size }) => sum + size, 0);
  }

  get packs(): number {
    return this.#packs.length;
  }

  /** Writes what `fill` adds in one new pack, which is on disk when it resolves. */
  async add<T>(fill: (writer: PackWriter) => Promise<T>): Promise<T> {
    const writer = new PackWriter(this.folder);
    try {
      const result = await fill(writer);
      const pack = await writer.end();
      if (pack) this.#packs.push(pack);
      else for (const each of this.#packs.slice(-1)) await touchPack(each);
      return result;
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** The bytes of a content; undefined if it is not there any more, and "damaged" if it is not what was kept. */
  async get(hash: string): Promise<Uint8Array | "damaged" | undefined> {
    await this.open();
    let isDamaged = false;
    for (const pack of this.#packs) {
      if (!pack.contents.has(hash)) continue;
      const bytes = await readFromPack(pack, hash).catch(() => undefined);
      if (bytes !== undefined && hashOf(bytes) === hash) return bytes;
      isDamaged = bytes !== undefined;
    }
    return isDamaged ? "damaged" : undefined;
  }

  /** Removes all packs. */
  async clear(): Promise<void> {
    for (const name of await packNames(this.folder)) await rm(join(this.folder, name), { force: true });
    this.#packs = [];
    this.version += 1;
  }
}
