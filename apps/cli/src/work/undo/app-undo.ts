import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import type { Access } from "@cogency/toolbox";
import { openUndo, type Undo, type UndoPlan } from "@cogency/toolbox/undo";
import { UsageError } from "../../base/errors/usage-error.ts";
import { ownPaths } from "../../place/own-paths.ts";
import { undoFolder } from "../../place/store/undo-folder.ts";
import { pointAt, pointsOfTurns, type RewindPoint, rewindPointOf } from "./rewind-point.ts";
import { undoKeys } from "./undo-keys.ts";
import { doneLines } from "./undo-lines.ts";

/** The conversation whose changes are undone. */
export interface UndoneConversation {
  conversation: string;
  store: Store;
  /** Where the store is. */
  place: string;
  /** The folder that the agent worked in, if it has moved. */
  root?: string | undefined;
  /** How far the tools reach now: an undo reaches no farther. */
  access: Access;
}

/** A point to go back to, and what that does to files. */
export interface FoundPoint {
  point: RewindPoint;
  plan: UndoPlan;
  events: readonly LogEvent[];
}

/** @throws UsageError for a store in memory, of which nothing is kept */
export function undoOf(place: string): Undo {
  const folder = undoFolder(place);
  if (folder === undefined)
    throw new UsageError("Nothing is kept of a conversation in memory, so nothing can be undone.");
  return openUndo({ folder, keyRing: undoKeys });
}

/**
 * Finds where to go back to.
 *
 * @param to a turn, a call, an undo, a name or a number of events; the latest turn of which a file can be restored when absent
 * @throws UsageError
 */
export async function findPoint(
  { conversation, store, place, root, access }: UndoneConversation,
  to?: string | { at: number; name: string },
): Promise<FoundPoint> {
  const undo = undoOf(place);
  const events = await store.load({ conversation });
  const entries = await undo.entries({ conversation });
  const planOf = async (point: RewindPoint): Promise<FoundPoint> => {
    const guarded = ownPaths(place);
    const plan =
      point.from === undefined
        ? nothing
        : await undo.plan({ conversation }, { from: point.from, guarded, root, access });
    return { point, plan, events };
  };
  if (typeof to === "object") return planOf(pointAt(to.at, to.name, events, entries));
  if (to !== undefined) return planOf(rewindPointOf(to, events, entries));
  let latest: FoundPoint | undefined;
  for (const point of pointsOfTurns(events, entries)) {
    if (point.from === undefined) continue;
    const found = await planOf(point);
    if (found.plan.restore.length > 0) return found;
    latest ??= found;
  }
  if (latest === undefined)
    throw new UsageError("There is nothing to undo: the agent has changed no file in this conversation.");
  return latest;
}

/** Restores the files. @returns lines that say what was done and what was left, and how many files were left */
export async function undoTo(
  of: UndoneConversation,
  { point, plan, events }: FoundPoint,
): Promise<{ lines: string[]; left: number }> {
  const { conversation, place, root, access } = of;
  const guarded = ownPaths(place);
  if (point.from === undefined || plan.restore.length === 0)
    return { lines: doneLines({ id: "", restored: [], left: plan.left }, plan, events), left: plan.left.length };
  const result = await undoOf(place).undo({ conversation }, { from: point.from, guarded, root, access });
  const lines = doneLines(result, plan, events);
  if (result.restored.length > 0) lines.push(`This can be taken back: ${result.id}`);
  return { lines, left: result.left.length };
}

/**
 * `/undo` of a chat: takes back what the latest turn did to files, or everything from a point on.
 *
 * @param to a turn, a call or an undo, as the last line of an earlier undo names it
 * @returns lines to show, safe for a terminal
 * @throws UsageError if there is nothing to undo, or no such point
 */
export async function undoFiles(of: UndoneConversation, to?: string): Promise<string[]> {
  const found = await findPoint(of, to);
  return [`Back to ${found.point.text}:`, ...(await undoTo(of, found)).lines];
}

const nothing: UndoPlan = { restore: [], left: [], commands: [], unreadable: 0 };
