import type { LogEvent } from "@cogency/protocol";
import type { UndoEntry } from "@cogency/toolbox/undo";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { eventsBeforeCall, type Turn, turnsOf } from "./turns.ts";

/** A moment of a conversation to go back to. */
export interface RewindPoint {
  /** A clause for people, such as `before turn 2, "fix the test"`. */
  text: string;
  /** The id of the first entry that is undone; undefined if no file was changed since. */
  from: string | undefined;
  /** How many events a fork has that ends there; undefined if the conversation is not affected. */
  at: number | undefined;
}

/**
 * Finds a point: the number of a turn, the id of a call, or the id of an earlier undo. It is the moment before that.
 *
 * @throws UsageError if there is none
 */
export function pointOf(to: string, events: readonly LogEvent[], entries: readonly UndoEntry[]): RewindPoint {
  const turns = turnsOf(events);
  const turn = /^\d+$/.test(to) ? turns[Number(to) - 1] : undefined;
  if (turn) return pointOfTurn(turn, turns, entries);
  const index = entries.findIndex(({ call }) => call === to);
  const from = entries[index]?.id;
  if (from !== undefined && /^undo_/.test(to)) return { text: `before ${to}`, from, at: undefined };
  const at = eventsBeforeCall(events, to);
  if (at !== undefined) {
    // A call that changed nothing has no entry. Then all later calls are undone.
    const later = callsFrom(events, to);
    return { text: `before ${to}`, from: from ?? entries.find(({ call }) => later.has(call))?.id, at };
  }
  const known = turns.length === 0 ? "It has no turns." : `Its turns are 1 to ${turns.length}.`;
  throw new UsageError(
    `--to: the conversation has no turn, call or undo "${oneLine(to, 60)}". ${known} Calls have ids such as call_ab12cd34, undos such as undo_ab12cd34.`,
  );
}

/** The points before each turn, the last one first. */
export function pointsOfTurns(events: readonly LogEvent[], entries: readonly UndoEntry[]): RewindPoint[] {
  const turns = turnsOf(events);
  return turns.map((turn) => pointOfTurn(turn, turns, entries)).reverse();
}

function pointOfTurn(turn: Turn, turns: readonly Turn[], entries: readonly UndoEntry[]): RewindPoint {
  const before = new Set(turns.slice(0, turn.number - 1).flatMap(({ calls }) => [...calls]));
  const since = new Set(turns.slice(turn.number - 1).flatMap(({ calls }) => [...calls]));
  // The log does not have the call of a process that was killed before it was stored.
  const isUnstored = ({ call, time }: UndoEntry) => !before.has(call) && !/^undo_/.test(call) && time >= turn.time;
  const first = entries.find((entry) => since.has(entry.call) || isUnstored(entry));
  return { text: `before turn ${turn.number}, "${oneLine(turn.text, 50)}"`, from: first?.id, at: turn.at };
}

function callsFrom(events: readonly LogEvent[], id: string): ReadonlySet<string> {
  const calls = events.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : []));
  return new Set(calls.slice(calls.indexOf(id)));
}
