import { crc32 } from "node:zlib";
import type { Json } from "@cogency/protocol";
import { damaged } from "../database/damaged.ts";

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

/** A value as JSON text with its checksum in front, for columns that change more often than the rest of their row. */
export function sealed(key: number, value: Json): string {
  const text = JSON.stringify(value);
  return `${rowChecksum(key, text)} ${text}`;
}

/**
 * Reads what `sealed` returned.
 *
 * @param what names the column, for the message
 * @throws StoreError `corrupt` if it is not what was stored for this key
 */
export function unsealed<T extends Json>(key: number, column: unknown, what: string, path: string): T {
  const text = String(column);
  const end = text.indexOf(" ");
  const json = text.slice(end + 1);
  if (String(rowChecksum(key, json)) === text.slice(0, end)) return JSON.parse(json) as T;
  throw damaged(path, `${what} is not what was stored (its checksum differs)`);
}
