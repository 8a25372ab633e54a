import type { Random } from "../support/random.ts";

interface Damaged {
  bytes: Buffer;
  /** A description of the damage, to repeat it. */
  what: string;
}

/** A copy of a file's bytes, damaged as by a bad disk, a truncated copy or a lost write. */
export function damage(bytes: Buffer, random: Random): Damaged {
  return random.pick([flipBits, flipBits, flipBits, flipInHeader, truncate, truncateToPage, zeroSector, misplacePage])(
    bytes,
    random,
  );
}

function flipBits(bytes: Buffer, random: Random): Damaged {
  const places = Array.from({ length: 1 + random.below(8) }, () => random.below(bytes.length * 8));
  return { bytes: withFlipped(bytes, places), what: `bits ${places.join(", ")} flipped` };
}

/** The offsets of the most critical bytes: SQLite's header and the root of its schema, or the header of the WAL. */
function flipInHeader(bytes: Buffer, random: Random): Damaged {
  const places = [random.below(Math.min(bytes.length, 130) * 8)];
  return { bytes: withFlipped(bytes, places), what: `bit ${places.join()} flipped` };
}

function truncate(bytes: Buffer, random: Random): Damaged {
  const length = random.below(bytes.length);
  return { bytes: bytes.subarray(0, length), what: `cut to ${length} bytes` };
}

function truncateToPage(bytes: Buffer, random: Random): Damaged {
  const length = random.below(Math.ceil(bytes.length / 4096)) * 4096;
  return { bytes: bytes.subarray(0, length), what: `cut to ${length} bytes` };
}

function zeroSector(bytes: Buffer, random: Random): Damaged {
  const start = random.below(Math.ceil(bytes.length / 512)) * 512;
  const copy = Buffer.from(bytes);
  copy.fill(0, start, start + 512);
  return { bytes: copy, what: `bytes ${start} to ${start + 511} zeroed` };
}

/** Writes a page in place of another one, like a failing disk. */
function misplacePage(bytes: Buffer, random: Random): Damaged {
  const [from, to] = [random.below(Math.ceil(bytes.length / 4096)), random.below(Math.ceil(bytes.length / 4096))];
  const copy = Buffer.from(bytes);
  bytes.copy(copy, to * 4096, from * 4096, (from + 1) * 4096);
  return { bytes: copy, what: `page ${from} written over page ${to}` };
}

function withFlipped(bytes: Buffer, places: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const place of places) copy[place >> 3] = (copy[place >> 3] ?? 0) ^ (1 << (place & 7));
  return copy;
}
