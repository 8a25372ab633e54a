import { crc32 } from "node:zlib";

/**
 * The CRC-32 of an event: SQLite detects damage to its own structure, but not a changed byte of content. It continues
 * the checksum of the event before; the first event continues the conversation's id. So it also proves the position of
 * the event, and one calculation checks a whole page of a log, joined by line ends (JSON text contains none).
 *
 * @param before the checksum of the event before, or the id of the conversation
 */
export function eventChecksum(before: number, text: string): number {
  return crc32(text, crc32("\n", before));
}

/** The CRC-32 of a row of any other table, over the given values. */
export function rowChecksum(...values: (string | number)[]): number {
  return crc32(JSON.stringify(values));
}
