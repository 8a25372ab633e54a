import type { FileChange, UndoChanges, UndoPoint } from "@cogency/toolbox/undo";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { ownPaths } from "../../place/own-paths.ts";
import { type UndoneConversation, undoOf } from "../undo/app-undo.ts";
import { rewindPointOf } from "../undo/rewind-point.ts";
import { turnsOf } from "../undo/turns.ts";
import { type Changes, changedFile } from "./changed-file.ts";

/**
 * What a turn and those after it have changed in files, by tools and by commands, as far as it is kept for undo.
 *
 * @param turn its number; the last turn when absent
 * @throws UsageError for a turn that there is not, and a conversation of which nothing is kept
 */
export async function turnChanges(of: UndoneConversation, turn?: string): Promise<Changes> {
  const { conversation, store, place, root, access } = of;
  if (place === ":memory:")
    throw new UsageError("Of a conversation in memory it is not kept what its turns have changed.");
  const undo = undoOf(place);
  const events = await store.load({ conversation });
  const turns = turnsOf(events);
  const wanted = turn === undefined ? turns.at(-1) : turns[Number(turn) - 1];
  if (!wanted)
    throw new UsageError(
      turns.length === 0
        ? "Nothing was said yet."
        : `There is no turn ${oneLine(turn ?? "", 20)}: 1 to ${turns.length}.`,
    );
  const since = `since turn ${wanted.number}, "${oneLine(wanted.text, 50)}"`;
  const { from } = rewindPointOf(String(wanted.number), events, await undo.entries({ conversation }));
  if (from === undefined) return { since, files: [], notes: [] };
  const point: UndoPoint = { from, guarded: ownPaths(place), root, access };
  const changes = await undo.changes({ conversation }, point);
  return { since, files: changes.files.map(shown), notes: notesOf(changes) };
}

function shown({ file, change, diff }: FileChange) {
  return changedFile(file, change, diff);
}

function notesOf({ left, commands, unreadable }: UndoChanges): string[] {
  const notKept = [...new Set(commands.flatMap((command) => command.notKept))];
  const cut = commands.filter(({ isComplete }) => !isComplete).length;
  return [
    ...left.map(({ file, message }) => `Not shown: ${oneLine(file, 200)} ${oneLine(message, 200)}.`),
    ...(notKept.length > 0 ? [`Changed, but not kept, so not shown: ${named(notKept)}.`] : []),
    ...(cut > 0 ? [`${counted(cut, "command")} may have changed more.`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, "line")} of the record of changes cannot be read.`] : []),
  ];
}

function named(files: readonly string[]): string {
  const more = files.length - mostNamed;
  const names = files.slice(0, mostNamed).map((file) => oneLine(file, 100));
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const mostNamed = 10;
