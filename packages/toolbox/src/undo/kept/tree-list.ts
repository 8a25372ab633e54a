import type { FolderState, KeptFileState, LinkState } from "../file-state.ts";
import { hashOf } from "../file-state.ts";
import type { Contents } from "./contents.ts";
import type { PackWriter } from "./pack.ts";

/** What stood at a path when it was kept. */
export type TreeState = FolderState | LinkState | KeptFileState;

/** What stood at each path of a tree. */
export type TreeStates = ReadonlyMap<string, TreeState>;

/** A tree as it is kept. */
export interface TreeList {
  states: TreeStates;
  /** Paths that were not looked at, or of which nothing is kept: what git ignores, and closed folders. */
  unseen: readonly string[];
  /** False if the tree may have more. */
  isWhole: boolean;
}

/** The list of a tree is kept as a content itself, so that its hash, which the journal signs, stands for the tree. */
export interface KeptList extends TreeList {
  hash: string;
  /** How many lists it is built on. */
  depth: number;
}

/** As it is written: a whole list, or what differs from another list. */
interface WrittenList {
  /** The hash of the list that it is built on. */
  base?: string;
  set: [path: string, state: TreeState][];
  gone: string[];
  /** As in the other list if absent. */
  unseen?: readonly string[];
  isWhole: boolean;
}

/** Adds the list of a tree. After a list that is there already, only what differs is written. */
export async function addList(
  { states, unseen, isWhole }: TreeList,
  last: KeptList | undefined,
  contents: Contents,
  writer: PackWriter,
): Promise<KeptList> {
  const base = last !== undefined && last.depth < mostDepth && contents.has(last.hash) ? last : undefined;
  const isSame = base?.states === states;
  const set = isSame ? [] : [...states].filter(([path, state]) => !isUnchanged(base?.states.get(path), state));
  const gone = base === undefined || isSame ? [] : [...base.states.keys()].filter((path) => !states.has(path));
  const isSeenAlike = base !== undefined && isEqual(base.unseen, unseen);
  if (isSeenAlike && base.isWhole === isWhole && set.length + gone.length === 0) return { ...base, states };
  const written: WrittenList = {
    ...(base && { base: base.hash }),
    set,
    gone,
    ...(!isSeenAlike && { unseen }),
    isWhole,
  };
  const bytes = Buffer.from(JSON.stringify(written));
  const hash = hashOf(bytes);
  if (!contents.has(hash)) await writer.add(hash, bytes);
  return { hash, states, unseen, isWhole, depth: base === undefined ? 0 : base.depth + 1 };
}

/** Undefined if the list, or one that it is built on, is not there any more or damaged. */
export async function readList(hash: string, contents: Contents): Promise<TreeList | undefined> {
  const lists: WrittenList[] = [];
  for (let next: string | undefined = hash; next !== undefined; next = lists.at(-1)?.base) {
    const bytes = await contents.get(next);
    if (bytes === undefined || bytes === "damaged" || lists.length > mostDepth) return undefined;
    lists.push(JSON.parse(Buffer.from(bytes).toString("utf8")) as WrittenList);
  }
  const states = new Map<string, TreeState>();
  let unseen: readonly string[] = [];
  for (const list of lists.toReversed()) {
    for (const path of list.gone) states.delete(path);
    for (const [path, state] of list.set) states.set(path, state);
    unseen = list.unseen ?? unseen;
  }
  return { states, unseen, isWhole: lists[0]?.isWhole === true };
}

/** Whether nothing has changed: neither the content nor the mode. */
export function isUnchanged(before: TreeState | undefined, after: TreeState | undefined): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  if (before.kind === "link" && after.kind === "link") return before.target === after.target;
  if (before.kind === "folder" && after.kind === "folder") return before.mode === after.mode;
  if (before.kind !== "file" || after.kind !== "file" || before.mode !== after.mode) return false;
  return before.hash === after.hash && (before.hash !== undefined || before.stamp === after.stamp);
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((path, index) => path === others[index]);
}

/** With more lists, reading one back takes long. */
const mostDepth = 50;
