import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Root } from "../../files/confine/root.ts";
import { lookAtTree } from "../../files/tree/look-at-tree.ts";
import type { SeenTree } from "../../files/tree/seen-tree.ts";
import type { ChangingCall, Watch } from "../change-keeper.ts";
import type { CopyFolder } from "../copy-folder.ts";
import type { JournalSeal } from "../journal-seal.ts";
import { placeOf } from "../keep-files.ts";
import type { CommandLine } from "../records.ts";
import { Contents } from "./contents.ts";
import { endedLine } from "./ended-line.ts";
import { KeptTrees, type TreeLimits } from "./kept-trees.ts";
import { makePacksRoom } from "./packs-room.ts";
import { noteDiffering } from "./tree-changes.ts";
import { type KeptList, readList, type TreeStates } from "./tree-list.ts";
import { unendedCommands } from "./unended-commands.ts";

/** The folder of a conversation, as an open keeper uses it. */
export interface KeptConversation {
  name: string;
  copies: CopyFolder;
  seal: JournalSeal;
}

/** Keeps what commands may change, and notes what they changed. */
export class CommandKeeper {
  readonly #folder: string;
  readonly #limits: TreeLimits & { all: number };
  /** Made when a command needs it: a run without commands loads no `node:crypto`. */
  #ownName: string | undefined;
  /** The conversations that were used last. */
  readonly #open = new Map<string, OpenConversation>();

  constructor(folder: string, limits: TreeLimits & { all: number }) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Tells the commands of this keeper from those of a process that was killed. */
  get #by(): string {
    this.#ownName ??= randomUUID();
    return this.#ownName;
  }

  async watch(root: Root, call: ChangingCall["call"], of: KeptConversation): Promise<Watch> {
    // First of all, so that others who look at this moment share the look.
    const looking = lookAtTree(root);
    const open = this.#openOf(of);
    const trees = open.treesOf(root, this.#limits);
    const line: CommandLine = { kind: "command", id: randomUUID(), by: this.#by, ...placeOf(root, call.id) };
    open.held += 1;
    try {
      const before = await looking;
      await this.#settle(root, open, before);
      const kept = await open.inTurn(() => trees.keep(before));
      line.tree = kept.hash;
      await of.copies.append([line]);
      const between = open.begin(root, kept);
      await this.#makeRoom(of.name, open.contents);
      return {
        ended: async () => {
          try {
            const after = await lookAtTree(root);
            const ended = await open.inTurn(() => endedLine(root, line, kept, after, trees, between));
            open.end(root, kept, ended.now);
            await of.copies.append([ended.line], { isFlushed: false });
            await trees.remember();
          } catch {
            // The command has run. What it changed is compared with the tree that was kept when it is undone.
          } finally {
            open.held -= 1;
          }
        },
      };
    } catch (error) {
      open.held -= 1;
      throw error;
    }
  }

  /** Notes what the commands of processes that were killed have changed until now, before something else changes it. */
  async settle(root: Root, of: KeptConversation): Promise<void> {
    await this.#settle(root, this.#openOf(of));
  }

  async #settle(root: Root, open: OpenConversation, seen?: SeenTree): Promise<void> {
    if (open.isSettled) return;
    open.isSettled = true;
    const { copies } = open.of;
    const left = unendedCommands((await copies.lines()).lines, this.#by).filter((line) => line.root === root.base);
    if (left.length === 0) return;
    const after = seen ?? (await lookAtTree(root));
    const trees = open.treesOf(root, this.#limits);
    for (const line of left) {
      const before = await readList(line.tree, open.contents);
      if (before === undefined) continue;
      const { line: ended } = await open.inTurn(() => endedLine(root, line, before, after, trees));
      await copies.append([{ ...ended, isComplete: false }]);
    }
  }

  async #makeRoom(own: string, { size }: Contents): Promise<void> {
    const open = this.#open.get(own);
    if (open === undefined || size - open.counted < countedAgain) return;
    open.counted = size;
    await makePacksRoom(this.#folder, own, this.#limits.all);
  }

  #openOf(of: KeptConversation): OpenConversation {
    const known = this.#open.get(of.name) ?? new OpenConversation(of, join(this.#folder, of.name));
    this.#open.delete(of.name);
    this.#open.set(of.name, known);
    for (const [name, { held }] of this.#open) {
      if (this.#open.size <= mostOpen) break;
      if (held === 0 && name !== of.name) this.#open.delete(name);
    }
    return known;
  }

  /** Forgets what it knows of a conversation whose folder is removed. */
  forget(name: string): void {
    this.#open.delete(name);
  }
}

/** What is remembered of more conversations is read again. */
const mostOpen = 8;
/** Bytes. */
const countedAgain = 1024 * 1024;

class OpenConversation {
  readonly of: KeptConversation;
  readonly contents: Contents;
  /** How many commands have not ended. */
  held = 0;
  isSettled = false;
  /** The bytes that it took when the room was last counted. */
  counted = 0;
  readonly #folder: string;
  readonly #trees = new Map<string, KeptTrees>();
  readonly #running = new Map<KeptList, { base: string; between: Set<string> }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(of: KeptConversation, folder: string) {
    this.of = of;
    this.#folder = folder;
    this.contents = new Contents(folder);
  }

  treesOf(root: Root, limits: TreeLimits): KeptTrees {
    let trees = this.#trees.get(root.base);
    if (trees === undefined) {
      const { contents, of } = this;
      trees = new KeptTrees(root, { contents, conversation: this.#folder, seal: of.seal, limits });
      this.#trees.set(root.base, trees);
    }
    return trees;
  }

  /**
   * Notes that a command begins, for the others that run.
   *
   * @returns the paths that will differ from its tree at any look while it runs: it may have changed them, though they may be as
   *   before in the end
   */
  begin(root: Root, kept: KeptList): ReadonlySet<string> {
    this.#note(root, kept.states);
    const between = new Set<string>();
    this.#running.set(kept, { base: root.base, between });
    return between;
  }

  end(root: Root, kept: KeptList, now: TreeStates): void {
    this.#running.delete(kept);
    this.#note(root, now);
  }

  #note(root: Root, states: TreeStates): void {
    for (const [kept, { base, between }] of this.#running) {
      if (base === root.base) noteDiffering(kept, states, between);
    }
  }

  /** Runs one after another what reads and writes the contents. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
