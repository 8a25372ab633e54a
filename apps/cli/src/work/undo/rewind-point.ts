import type { LogEvent } from "@cogency/protocol";
import { pointsOf } from "@cogency/protocol/host";
import type { UndoEntry } from "@cogency/toolbox/undo";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { pointOf } from "../points/point-of.ts";
import { eventsBeforeCall, type Turn, turnAt, turnsOf } from "./turns.ts";

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
 * Finds a point: the number of a turn, the id of a call, the id of an earlier undo, or what `pointOf` reads. It is the moment before that.
 *
 * @throws UsageError if there is none
 */
export function rewindPointOf(to: string, events: readonly LogEvent[], entries: readonly UndoEntry[]): RewindPoint {
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
  if (isName(to, events) || /^(?:turn|message):/.test(to))
    return pointAt(pointOf(to, events, "--to"), to, events, entries);
  const known = turns.length === 0 ? "It has no turns." : `Its turns are 1 to ${turns.length}.`;
  throw new UsageError(
    `--to: the conversation has no turn, call or undo "${oneLine(to, 60)}". ${known} Calls have ids such as call_ab12cd34, undos such as undo_ab12cd34; a point may have a name.`,
  );
}

function isName(text: string, events: readonly LogEvent[]): boolean {
  return pointsOf(events).some(({ name }) => name === text);
}

/** The moment after the first `at` events. */
export function pointAt(
  at: number,
  name: string,
  events: readonly LogEvent[],
  entries: readonly UndoEntry[],
): RewindPoint {
  const turns = turnsOf(events);
  const turn = turnAt(at, turns, events);
  const text = `"${oneLine(name, 60)}"`;
  if (turn) return { ...pointOfTurn(turn, turns, entries), at, text: `${text}, before turn ${turn.number}` };
  const number = turns.findLast((turn) => turn.at < at)?.number;
  const time = events[at]?.timestamp ?? Number.POSITIVE_INFINITY;
  const from = firstEntry(callsIn(events.slice(0, at)), callsIn(events.slice(at)), time, entries);
  return { text: number === undefined ? text : `${text}, in turn ${number}`, from, at };
}

function callsIn(events: readonly LogEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : [])));
}

/** The points before each turn, the last one first. */
export function pointsOfTurns(events: readonly LogEvent[], entries: readonly UndoEntry[]): RewindPoint[] {
  const turns = turnsOf(events);
  return turns.map((turn) => pointOfTurn(turn, turns, entries)).reverse();
}

function pointOfTurn(turn: Turn, turns: readonly Turn[], entries: readonly UndoEntry[]): RewindPoint {
  const before = new Set(turns.slice(0, turn.number - 1).flatMap(({ calls }) => [...calls]));
  const since = new Set(turns.slice(turn.number - 1).flatMap(({ calls }) => [...calls]));
  const from = firstEntry(before, since, turn.time, entries);
  return { text: `before turn ${turn.number}, "${oneLine(turn.text, 50)}"`, from, at: turn.at };
}

/** The first entry since a moment: of a call after it, or of one that the log does not have. */
function firstEntry(
  before: ReadonlySet<string>,
  since: ReadonlySet<string>,
  time: number,
  entries: readonly UndoEntry[],
): string | undefined {
  // The log does not have the call of a process that was killed before it was stored.
  const isUnstored = (entry: UndoEntry) => !before.has(entry.call) && !/^undo_/.test(entry.call) && entry.time >= time;
  return entries.find((entry) => since.has(entry.call) || isUnstored(entry))?.id;
}

function callsFrom(events: readonly LogEvent[], id: string): ReadonlySet<string> {
  const calls = events.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : []));
  return new Set(calls.slice(calls.indexOf(id)));
}
