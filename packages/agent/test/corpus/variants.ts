import type { Recording, Variation } from "./play.ts";

/** Events or appends of one run that are varied; of a longer run, so many of them, evenly spread. */
const most = 24;

/**
 * What is done to the run of a recording: its signal aborts, its consumer leaves and its deadline comes after every event,
 * and its signal after every line of the trace; every append fails; the process dies before every append and after the last one.
 */
export function variationsOf({ log, events, trace, operations }: Recording): Variation[] {
  const received = events.filter((line) => line.startsWith('{"type":')).length;
  const positions = spread(Array.from({ length: received }, (_, index) => index + 1));
  const appends = spread(firstOfAppends(log.length, operations));
  return [
    ...positions.flatMap((at): Variation[] => [
      { kind: "abort", at },
      { kind: "leave", at },
      { kind: "deadline", at },
    ]),
    ...spread(trace.map((_, index) => index + 1)).map((at): Variation => ({ kind: "halt", at })),
    ...appends.flatMap((at, index): Variation[] => [
      { kind: "refuse", at },
      { kind: "doubt", at },
      // Slices of two kinds that differ little from the ones above and the base.
      ...(index % 3 === 0 ? [{ kind: "dead" as const, at }] : []),
      ...(index % 3 === 1 ? [{ kind: "lost" as const, at }] : []),
      { kind: "kill", at },
    ]),
    { kind: "kill", at: log.length + 1 },
  ];
}

/** The sequence number of the first event of each append, without the ones that were stored before the run. */
function firstOfAppends(length: number, operations: readonly string[]): number[] {
  const sizes = operations.filter((line) => line.startsWith("append ")).map((line) => line.split(" ").length - 1);
  const before = length - sizes.reduce((sum, size) => sum + size, 0);
  // Appends that were repeated or refused make the count wrong: then each event is taken for an append.
  if (before < 0) return Array.from({ length }, (_, index) => index + 1);
  let next = before + 1;
  return sizes.map((size) => {
    const first = next;
    next += size;
    return first;
  });
}

function spread(positions: readonly number[]): number[] {
  const step = Math.max(1, positions.length / most);
  return Array.from(
    { length: Math.min(most, positions.length) },
    (_, index) => positions[Math.floor(index * step)] as number,
  );
}

/** Whether a variation of a case belongs to the slice of a seed: about one of `slices`. */
export function isInSlice(name: string, variation: Variation, seed: number, slices: number): boolean {
  let hash = seed;
  for (const character of `${name} ${JSON.stringify(variation)}`) {
    hash = (Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0) % 4_294_967_296;
  }
  return (hash >>> 8) % slices === 0;
}
