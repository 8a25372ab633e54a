import type { Played, Recording, Variation } from "./play.ts";
import type { RecordedCase } from "./recorded.ts";

/**
 * A way in which a replay may differ from its recording. Every one is off until a change needs it: turn it on, or add one,
 * in the commit of that change, and off again when the corpus is recorded anew.
 */
export interface Allowance {
  /** Why the difference is intended. */
  why: string;
  isOn: boolean;
  /** Removes the difference from a recording. Applied to both sides. */
  ignore?(recording: Recording): Recording;
  /** Whether the variation is not compared at all. */
  skips?(variation: Variation, base: Recording): boolean;
  /** A failed append is compared with the failure of the recorded append that begins with the same event. */
  comparesGroups?: true;
}

export const allowances: Record<string, Allowance> = {
  "grouped appends": {
    why: "Appends of one moment may be one append, and the log need not be loaded again: the store is asked less often. The order in which events are stored stays.",
    isOn: false,
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
    isOn: false,
    ignore: ({ log, trace, ...rest }) => ({
      ...rest,
      log: startsFirst(log, '"kind":"started"', ['"kind":"started"', '"kind":"finished"', '"kind":"content"']),
      trace: startsFirst(trace, "started ", ["started ", "completed ", "progress "]),
      operations: [],
    }),
  },
  "the end of a run in the log": {
    why: "Recovering a conversation whose run has ended asks no model and runs no tool.",
    isOn: false,
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
  { recording: replayed, failedFrom }: Played,
  { name, base, variants }: RecordedCase,
): string | undefined {
  const active = Object.values(allowances).filter(({ isOn }) => isOn);
  if (active.some(({ skips }) => skips?.(variation, base))) return undefined;
  const isGrouped = active.some(({ comparesGroups }) => comparesGroups) && failedFrom !== undefined;
  const expected = isGrouped ? { ...variation, at: failedFrom } : variation;
  const recorded =
    variation.kind === "base"
      ? base
      : variants.find((variant) => JSON.stringify(variant.variation) === JSON.stringify(expected))?.recording;
  // Only some appends of a long run are recorded.
  if (!recorded && isGrouped && expected.kind !== variation.kind) return undefined;
  const title = `${name}, ${describe(variation)}`;
  if (!recorded) return `${title}: nothing is recorded for ${describe(expected)}.`;
  const ignore = (recording: Recording) => active.reduce((left, { ignore }) => ignore?.(left) ?? left, recording);
  const [before, now] = [ignore(recorded), ignore(replayed)];
  for (const list of ["log", "events", "requests", "trace", "operations"] as const) {
    const [old, young] = [before[list], now[list]];
    const index = Array.from({ length: Math.max(old.length, young.length) }).findIndex(
      (_, at) => old[at] !== young[at],
    );
    if (index === -1) continue;
    return [
      `${title}: line ${index + 1} of ${list} differs (${old.length} lines recorded, ${young.length} now).`,
      `  recorded: ${old[index] ?? "no such line"}`,
      `  now:      ${young[index] ?? "no such line"}`,
    ].join("\n");
  }
  return undefined;
}

function describe(variation: Variation): string {
  return "at" in variation ? `${variation.kind} at ${variation.at}` : "the run itself";
}
