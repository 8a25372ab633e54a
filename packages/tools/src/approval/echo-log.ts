import type { LogEvent } from "@cogency/protocol";
import { blockLength, echoBlock } from "./echo-block.ts";
import { type EchoFilter, echoFilter } from "./echo-filter.ts";

/** What has been read of a log. */
export interface EchoLog {
  /** The filters of its first `blockLength` events, of the next ones, and so on. */
  readonly blocks: EchoFilter[];
  /** The filter of each event that is in no block yet. */
  readonly rest: EchoFilter[];
}

interface ReadLog extends EchoLog {
  first: LogEvent | undefined;
  last: LogEvent | undefined;
}

/** By the list of events. A run has one list, which grows. */
const logs = new WeakMap<readonly LogEvent[], ReadLog>();

/**
 * The filters of a log. They are kept for this list of events, so that a batch reads only what was added to it since the batch
 * before. Events may be added at its end; no event in it may change. Pauses between readings.
 */
export function* echoLog(events: readonly LogEvent[]): Generator<undefined, EchoLog> {
  const known = logs.get(events);
  const before = known && isStart(known, events) ? known : { blocks: [], rest: [], first: undefined, last: undefined };
  // Copied: another search may read the same list between two pauses.
  const blocks = [...before.blocks];
  let rest = before.rest;
  for (;;) {
    const block = yield* echoBlock(events, blocks.length * blockLength);
    if (!block) break;
    blocks.push(block);
    rest = [];
  }
  rest = [...rest];
  for (let at = lengthOf({ blocks, rest }); at < events.length; at++)
    rest.push(yield* echoFilter(events[at] as LogEvent));
  const log = { blocks, rest, first: events[0], last: events.at(-1) };
  logs.set(events, log);
  return log;
}

/** Whether the list begins with the events that were read, as far as its ends tell. */
function isStart(log: ReadLog, events: readonly LogEvent[]): boolean {
  const length = lengthOf(log);
  return length > 0 && length <= events.length && events[0] === log.first && events[length - 1] === log.last;
}

function lengthOf({ blocks, rest }: EchoLog): number {
  return blocks.length * blockLength + rest.length;
}
