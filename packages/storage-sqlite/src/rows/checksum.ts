import { crc32 } from "node:zlib";

/**
 * The CRC-32 that is kept with an event: SQLite notices damage to its own structure, but not a changed byte of content.
 * It goes on from that of the event before, for the first one from the conversation's id. So it also says where the
 * event belongs, and one calculation proves a whole piece of a log, joined by line ends (JSON text has none).
 */
export function eventChecksum(before: number, text: string): number {
  return crc32(text, crc32("\n", before));
}

/** The CRC-32 that is kept with any other row, over the values that matter. */
export function rowChecksum(...values: (string | number)[]): number {
  return crc32(JSON.stringify(values));
}
