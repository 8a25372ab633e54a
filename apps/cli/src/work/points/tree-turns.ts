import { summaryOf } from "@cogency/agent/history";
import type { LogEvent } from "@cogency/protocol";
import { type Point, pointsOf } from "@cogency/protocol/host";
import type { UndoEntry } from "@cogency/toolbox/undo";
import { type Turn, turnsOf } from "../undo/turns.ts";

/** A turn, as a tree of forks shows it. */
export interface TreeTurn extends Pick<Turn, "number" | "text" | "at" | "time"> {
  /** The named points at its beginning. */
  readonly points: readonly Point[];
  /** Those after its beginning and before that of the next turn. */
  readonly within: readonly Point[];
  /** Whether requests show a summary in the place of its beginning. */
  readonly isSummedUp: boolean;
  /** How many files it has changed, as far as that is kept. */
  readonly files: number;
  /** How many times files were restored in it. */
  readonly undos: number;
}

/** @param entries what is kept of the changes of files */
export function treeTurns(log: readonly LogEvent[], entries: readonly UndoEntry[]): TreeTurn[] {
  const turns = turnsOf(log);
  const hidden = summaryOf(log)?.upTo ?? 0;
  const begins = beginnings(log, turns);
  const points = Map.groupBy(pointsOf(log), ({ at }) =>
    lastIndex(turns, (turn) => (begins.get(turn) ?? turn.at) <= at),
  );
  const turnOfCall = new Map(turns.flatMap(({ calls }, index) => [...calls].map((call) => [call, index] as const)));
  const changes = Map.groupBy(
    entries,
    ({ call, time }) => turnOfCall.get(call) ?? lastIndex(turns, (turn) => turn.time <= time),
  );
  return turns.map(({ number, text, at, time }, index) => {
    const [undone, changed] = [changes.get(index)?.filter(isUndo), changes.get(index)?.filter((one) => !isUndo(one))];
    const files = new Set(changed?.flatMap((entry) => entry.files.map(({ file }) => file)));
    const marks = { isSummedUp: at < hidden, files: files.size, undos: undone?.length ?? 0 };
    const { true: beginning = [], false: within = [] } = Object.groupBy(points.get(index) ?? [], (point) =>
      String(point.at <= at),
    );
    return { number, text, at, time, points: beginning, within, ...marks };
  });
}

/** Where the records begin that stand before each turn, such as that of a name. */
function beginnings(log: readonly LogEvent[], turns: readonly Turn[]): ReadonlyMap<Turn, number> {
  return new Map(
    turns.map((turn) => {
      let from = turn.at;
      while (log[from - 1]?.type === "record") from--;
      return [turn, from] as const;
    }),
  );
}

/** The index of the last turn that has begun, found by halves; what is before all of them belongs to the first one. */
function lastIndex(turns: readonly Turn[], hasBegun: (turn: Turn) => boolean): number {
  let [low, high] = [0, turns.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (hasBegun(turns[middle] as Turn)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isUndo({ call }: UndoEntry): boolean {
  return /^undo_/.test(call);
}
