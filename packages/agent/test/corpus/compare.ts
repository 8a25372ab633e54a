import type { Recording, Variation } from "./play.ts";
import type { RecordedCase } from "./recorded.ts";

/** The first difference between a replay and its recording, with both lines; undefined if there is none. */
export function differenceOf(
  { name, base, variants }: RecordedCase,
  variation: Variation,
  replayed: Recording,
): string | undefined {
  const recorded =
    variation.kind === "base" ? base : variants.find((one) => isSame(one.variation, variation))?.recording;
  const difference = recorded ? firstDifference(recorded, replayed) : "nothing is recorded.";
  return difference && `${name}, ${describeVariation(variation)}: ${difference}`;
}

function isSame(one: Variation, other: Variation): boolean {
  return one.kind === other.kind && "at" in one && "at" in other && one.at === other.at;
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

export function describeVariation(variation: Variation): string {
  return "at" in variation ? `${variation.kind} at ${variation.at}` : "the run itself";
}
