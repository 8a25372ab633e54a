/** Ranges of code points, in order, that do not touch. */
export type Ranges = readonly (readonly [from: number, to: number])[];

const last = 0x10ffff;
const surrogates: Ranges = [[0xd800, 0xdfff]];

export function joined(...all: readonly Ranges[]): Ranges {
  const result: [number, number][] = [];
  for (const [from, to] of all.flat().sort(([a], [b]) => a - b)) {
    const previous = result.at(-1);
    if (previous && from <= previous[1] + 1) previous[1] = Math.max(previous[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** Every character that is not within the ranges. Surrogates are no characters. */
export function allBut(ranges: Ranges): Ranges {
  const result: [number, number][] = [];
  let from = 0;
  for (const [low, high] of joined(ranges, surrogates)) {
    if (low > from) result.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= last) result.push([from, last]);
  return result;
}

export function minus(ranges: Ranges, others: Ranges): Ranges {
  return allBut(joined(allBut(ranges), others));
}

export function isWithin(ranges: Ranges, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

export function single(character: string): Ranges {
  const code = character.codePointAt(0) as number;
  return [[code, code]];
}
