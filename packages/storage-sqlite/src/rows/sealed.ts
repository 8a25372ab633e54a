import type { Json } from "@cogency/protocol";
import { damaged } from "../database/damaged.ts";
import { rowChecksum } from "./checksum.ts";

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
