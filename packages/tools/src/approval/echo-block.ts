import type { LogEvent } from "@cogency/protocol";
import { createMarks, type EchoFilter, filterOf, markTexts } from "./echo-filter.ts";

/** Events that share one filter. */
export const blockLength = 256;

/** The filter of a row of events that a log holds. */
interface EchoBlock {
  events: readonly LogEvent[];
  filter: EchoFilter;
}

/** By the first event. A log grows at its end, so each of its batches finds the same rows with the same events again. */
const blocks = new WeakMap<LogEvent, EchoBlock>();

/**
 * The filter of the `blockLength` events from `start` on; undefined if the log has fewer. It is made once for these event
 * objects, which must not change. Pauses between readings.
 */
export function* echoBlock(events: readonly LogEvent[], start: number): Generator<undefined, EchoFilter | undefined> {
  const first = events[start];
  if (!first || start + blockLength > events.length) return undefined;
  const known = blocks.get(first);
  if (known && isAt(known.events, events, start)) return known.filter;
  const row = events.slice(start, start + blockLength);
  const marks = createMarks(blockWords);
  for (const event of row) yield* markTexts(marks, event);
  const filter = filterOf(marks);
  blocks.set(first, { events: row, filter });
  return filter;
}

function isAt(row: readonly LogEvent[], events: readonly LogEvent[], start: number): boolean {
  for (let index = 0; index < row.length; index++) if (row[index] !== events[start + index]) return false;
  return true;
}

/** Words of 32 bits. A row of long texts sets nearly all bits; its events are then asked one by one. */
const blockWords = 2048;
