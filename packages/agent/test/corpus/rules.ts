import type { Played, Recording, Variation } from "./play.ts";
import type { RecordedCase } from "./recorded.ts";

/**
 * A way in which a replay may differ from its recording. Every one is off until a change needs it: turn it on, or add one,
 * in the commit of that change, and off again when the corpus is recorded anew.
 */
interface Allowance {
  /** Why the difference is intended. */
  why: string;
  isOn: boolean;
  /** Removes the difference from a recording. Applied to both sides. */
  ignore?(recording: Recording): Recording;
  /** Whether the variation is not compared at all. */
  skips?(variation: Variation, base: Recording): boolean;
  /** What happens when a group of appends fails may be what was recorded for another append of the group. */
  comparesGroups?: true;
}

const allowances: Record<string, Allowance> = {
  "grouped appends": {
    why: "Appends of one moment may be one append, and the log need not be loaded again: the store is asked less often. The order in which events are stored stays.",
    isOn: true,
    ignore: ({ operations, ...rest }) => ({
      ...rest,
      operations: operations
        .filter((line) => line.startsWith("append "))
        .flatMap((line) => line.split(" ").slice(1))
        .filter((kind) => kind !== ""),
    }),
    comparesGroups: true,
  },
  "starts of a batch together": {
    why: "The calls of a batch that may run side by side are started by one append, so that all `started` records come before the first `finished`.",
    isOn: true,
    ignore: ({ log, trace, ...rest }) => ({
      ...rest,
      log: startsFirst(log, '"kind":"started"', ['"kind":"started"', '"kind":"finished"', '"kind":"content"']),
      trace: startsFirst(trace, "started ", ["started ", "completed ", "progress "]),
      operations: [],
    }),
  },
  "the end of a run in the log": {
    why: "Recovering a conversation whose run has ended asks no model and runs no tool.",
    isOn: true,
    ignore: ({ log, operations, ...rest }) => ({
      ...rest,
      log: log.filter((line) => !line.includes('"kind":"run"')),
      operations: operations.filter((kind) => !kind.includes("run")),
    }),
    skips: (variation, { log }) => variation.kind === "kill" && variation.at === log.length + 1,
  },
};

/** Moves the lines with `mark` to the beginning of each row of lines that have one of the marks. */
function startsFirst(lines: readonly string[], mark: string, row: readonly string[]): string[] {
  const sorted: string[] = [];
  let pending: string[] = [];
  const flush = () => {
    sorted.push(...pending.filter((line) => line.includes(mark)), ...pending.filter((line) => !line.includes(mark)));
    pending = [];
  };
  for (const line of lines) {
    if (row.some((one) => line.includes(one))) pending.push(line);
    else {
      flush();
      sorted.push(line);
    }
  }
  flush();
  return sorted;
}

/**
 * The first difference between a replay and its recording, with both lines; undefined if there is none that matters.
 */
export function differenceBetween(
  variation: Variation,
  { recording, failed }: Played,
  { name, base, variants }: RecordedCase,
): string | undefined {
  const active = Object.values(allowances).filter(({ isOn }) => isOn);
  if (active.some(({ skips }) => skips?.(variation, base))) return undefined;
  const ignore = (one: Recording) => active.reduce((left, { ignore }) => ignore?.(left) ?? left, one);
  const find = (at: number | undefined) =>
    variants.find((one) => one.variation.kind === variation.kind && "at" in one.variation && one.variation.at === at);
  const isGrouped = failed !== undefined && active.some(({ comparesGroups }) => comparesGroups);
  const group = isGrouped ? Array.from({ length: failed.to - failed.from + 1 }, (_, index) => failed.from + index) : [];
  const own = variation.kind === "base" ? base : find(variation.at)?.recording;
  if (!own) return `${name}, ${describe(variation)}: nothing is recorded.`;
  const others = group.flatMap((at) => find(at)?.recording ?? []);
  const differences = [own, ...others].map((recorded) => firstDifference(ignore(recorded), ignore(recording)));
  if (differences.includes(undefined)) return undefined;
  return `${name}, ${describe(variation)}: ${differences[0]}`;
}

function firstDifference(recorded: Recording, replayed: Recording): string | undefined {
  for (const list of ["log", "events", "requests", "trace", "operations"] as const) {
    const [before, now] = [recorded[list], replayed[list]];
    const index = Array.from({ length: Math.max(before.length, now.length) }).findIndex(
      (_, at) => before[at] !== now[at],
    );
    if (index === -1) continue;
    return [
      `line ${index + 1} of ${list} differs (${before.length} lines recorded, ${now.length} now).`,
      `  recorded: ${before[index] ?? "no such line"}`,
      `  now:      ${now[index] ?? "no such line"}`,
    ].join("\n");
  }
  return undefined;
}

function describe(variation: Variation): string {
  return "at" in variation ? `${variation.kind} at ${variation.at}` : "the run itself";
}
