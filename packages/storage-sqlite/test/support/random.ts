/** Random numbers from a seed, so that a failure can be repeated. */
export interface Random {
  /** From 0 up, below 1. */
  next(): number;
  /** A whole number from 0 up, below `end`. */
  below(end: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

export function randomOf(seed: number): Random {
  let state = seed | 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, pick: (values) => values[below(values.length)] ?? values[0] };
}

/** A random seed. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
