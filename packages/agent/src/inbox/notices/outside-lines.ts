import type { NoticeContent } from "@cogency/storage/adapter";
import type { Received } from "../received.ts";

/** A notice from outside that the model may read, with those of its source and topic that it takes the place of. */
export interface OutsideLine {
  readonly received: Received;
  readonly source: string;
  readonly holds: NoticeContent["holds"];
  readonly content: string;
  /** How many notices it stands for. */
  readonly count: number;
}

/** The most lines of one event. */
const mostLines = 20;

/**
 * Chooses the lines that the model reads, in their order: one of each source in turn, the latest of each first, so that no source pushes
 * out another one. Sources that the host vouches for come before untrusted ones.
 */
export function chosenLines(lines: readonly OutsideLine[]): { chosen: readonly OutsideLine[]; left: OutsideLine[] } {
  const chosen = new Set<OutsideLine>();
  let queues = bySource(lines);
  while (chosen.size < mostLines && queues.length > 0) {
    for (const queue of queues) {
      const line = queue.pop();
      if (line && chosen.size < mostLines) chosen.add(line);
    }
    queues = queues.filter(({ length }) => length > 0);
  }
  return { chosen: lines.filter((line) => chosen.has(line)), left: lines.filter((line) => !chosen.has(line)) };
}

/** The lines of each source. Those with an untrusted one come last. */
function bySource(lines: readonly OutsideLine[]): OutsideLine[][] {
  const queues = [...Map.groupBy(lines, ({ source }) => source).values()];
  const isDoubtful = (queue: readonly OutsideLine[]) => queue.some(({ holds }) => holds === "untrusted");
  return [...queues.filter((queue) => !isDoubtful(queue)), ...queues.filter(isDoubtful)];
}
