/** Numbers that follow from a seed. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  shuffled<T>(values: readonly T[]): T[];
  /** Letters and digits. */
  word(length: number): string;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    shuffled(values) {
      const left = [...values];
      return values.map(() => left.splice(below(left.length), 1)[0] as (typeof values)[number]);
    },
    word: (length) => Array.from({ length }, () => letters[below(letters.length)]).join(""),
  };
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
