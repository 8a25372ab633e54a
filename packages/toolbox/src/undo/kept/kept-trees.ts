import { readlinkSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Root } from "../../files/confine/root.ts";
import type { Reach } from "../../files/guard/reach.ts";
import { readVerified } from "../../files/tree/open-verified.ts";
import { isSettled, type Seen, type SeenTree } from "../../files/tree/seen-tree.ts";
import { hashOf } from "../file-state.ts";
import type { JournalSeal } from "../journal-seal.ts";
import type { Contents } from "./contents.ts";
import type { PackWriter } from "./pack.ts";
import { addList, type KeptList, type TreeList, type TreeState, type TreeStates } from "./tree-list.ts";

/** How much is kept before a command, in bytes. */
export interface TreeLimits {
  /** The largest file. */
  file: number;
  /** All files; the smallest come first. */
  tree: number;
  /** All that a conversation keeps. Beyond it, what is older than the tree as it is now is dropped. */
  conversation: number;
}

/**
 * Keeps the trees of one root in one conversation. What a file holds is remembered with its stamp, also from one process to the
 * next, so that a file is read again only after its stamp has changed.
 */
export class KeptTrees {
  readonly #root: Root;
  readonly #contents: Contents;
  readonly #limits: TreeLimits;
  readonly #memory: string;
  readonly #seal: JournalSeal;
  #known = new Map<string, Known>();
  #opening: Promise<void> | undefined;
  #isSaved = true;
  #last: KeptList | undefined;
  #lastStates: LastStates | undefined;

  constructor(root: Root, parts: { contents: Contents; conversation: string; seal: JournalSeal; limits: TreeLimits }) {
    this.#root = root;
    this.#contents = parts.contents;
    this.#limits = parts.limits;
    this.#seal = parts.seal;
    this.#memory = join(parts.conversation, `seen-${hashOf(Buffer.from(root.base)).slice(0, 16)}.json`);
  }

  /** Keeps a tree. Its contents and its list are on disk when it resolves. */
  async keep(tree: SeenTree): Promise<KeptList> {
    await this.#open();
    const { conversation } = this.#limits;
    await this.#contents.refresh();
    if (this.#contents.size > conversation || this.#contents.packs > mostPacks) {
      await this.#contents.clear();
      this.#last = undefined;
    }
    this.#last = await this.#contents.add(async (writer) =>
      addList(listOf(tree, await this.#statesOf(tree, writer)), this.#last, this.#contents, writer),
    );
    return this.#last;
  }

  /** What stands at each path now, without keeping it. */
  async states(tree: SeenTree): Promise<TreeStates> {
    await this.#open();
    return this.#statesOf(tree);
  }

  /** Notes on disk what is remembered. It is not flushed: what is lost is read again. */
  async remember(): Promise<void> {
    if (this.#isSaved) return;
    this.#isSaved = true;
    const text = JSON.stringify([...this.#known].filter(([, { isSettled }]) => isSettled));
    const proof = await this.#seal.prove(this.#hashOf(text));
    const temporary = `${this.#memory}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify(proof)}\n${text}`, { mode: 0o600 })
      .then(() => rename(temporary, this.#memory))
      .catch(() => rm(temporary, { force: true }));
  }

  #open(): Promise<void> {
    this.#opening ??= (async () => {
      await this.#contents.open();
      const saved = await readFile(this.#memory, "utf8").catch(() => undefined);
      if (saved === undefined) return;
      const end = saved.indexOf("\n");
      const text = saved.slice(end + 1);
      // Who may write there could have files restored that were never there.
      if (!(await this.#seal.proves(this.#hashOf(text), saved.slice(0, end)))) return;
      this.#known = new Map(JSON.parse(text) as [string, Known][]);
    })();
    return this.#opening;
  }

  #hashOf(text: string): string {
    return hashOf(Buffer.from(`${this.#root.base}\n${text}`));
  }

  /** @param writer keeps the contents */
  async #statesOf(tree: SeenTree, writer?: PackWriter): Promise<TreeStates> {
    const last = this.#lastStates;
    const isStored = writer === undefined || last?.version === this.#contents.version;
    // A look gives the same map as the one before if nothing has changed.
    if (last?.entries === tree.entries && isStored) return last.states;
    const states = new Map<string, TreeState>();
    const known = new Map<string, Known>();
    const unread: [path: string, seen: Seen][] = [];
    let bytes = 0;
    for (const [path, seen] of tree.entries) {
      const old = this.#known.get(path);
      if (old !== undefined && this.#isAsKept(old, seen, writer)) {
        known.set(path, old);
        states.set(path, old.state);
        if (old.state.kind === "file") bytes += old.state.size;
      } else if (seen.kind === "folder") {
        states.set(path, { kind: "folder", mode: seen.mode });
      } else {
        unread.push([path, seen]);
      }
    }
    if (unread.length > 0) {
      // With the smallest first, a limit leaves out as few files as possible.
      unread.sort(([, a], [, b]) => a.size - b.size);
      const reach = await this.#root.guard.now();
      let turnEnds = performance.now() + longestTurn;
      for (const [path, seen] of unread) {
        if (performance.now() > turnEnds) {
          await setImmediate();
          turnEnds = performance.now() + longestTurn;
        }
        const state = await this.#read(reach, path, seen, this.#limits.tree - bytes, writer);
        if (state === undefined) continue;
        if (state.kind === "file" && state.hash !== undefined) bytes += state.size;
        states.set(path, state);
        known.set(path, { stamp: seen.stamp, isSettled: isSettled(seen, tree.at), state });
      }
    }
    if (unread.length > 0 || known.size !== this.#known.size) this.#isSaved = false;
    this.#known = known;
    this.#lastStates =
      unread.length === 0 ? { entries: tree.entries, states, version: writer && this.#contents.version } : undefined;
    return states;
  }

  #isAsKept({ stamp, isSettled, state }: Known, seen: Seen, writer: PackWriter | undefined): boolean {
    if (!isSettled || state.kind !== seen.kind || stamp !== seen.stamp) return false;
    if (state.kind !== "file") return true;
    if (state.hash === undefined) return seen.size > this.#limits.file;
    return writer === undefined || this.#contents.has(state.hash);
  }

  /** Undefined if it is gone. */
  async #read(
    reach: Reach,
    path: string,
    seen: Seen,
    room: number,
    writer: PackWriter | undefined,
  ): Promise<TreeState | undefined> {
    const real = join(this.#root.base, path);
    if (seen.kind === "link") return linkAt(real);
    const { size, mode, stamp } = seen;
    const most = Math.min(this.#limits.file, room);
    const bytes = size > most ? undefined : await readVerified(this.#root, reach, real, most);
    if (bytes === undefined) return { kind: "file", size, mode, stamp };
    const hash = hashOf(bytes);
    if (writer !== undefined && !this.#contents.has(hash)) await writer.add(hash, bytes);
    return { kind: "file", hash, size: bytes.length, mode };
  }
}

/** What was found at a look after which nothing was left to be read. */
interface LastStates {
  entries: SeenTree["entries"];
  states: TreeStates;
  /** Of the contents, if all of it is there. */
  version: number | undefined;
}

interface Known {
  stamp: string;
  isSettled: boolean;
  state: TreeState;
}

/** Opening very many packs makes the start of a process slow. */
const mostPacks = 1000;
/** Milliseconds without a pause for other work. */
const longestTurn = 10;

function listOf({ closed, ignored, isWhole }: SeenTree, states: TreeStates): TreeList {
  return { states, unseen: [...closed, ...ignored.keys()], isWhole };
}

function linkAt(real: string): TreeState | undefined {
  try {
    return { kind: "link", target: readlinkSync(real) };
  } catch {
    return undefined;
  }
}
