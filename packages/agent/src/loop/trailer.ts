import type { FinishReason, RecordEvent, Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import type { StepEvent } from "../drivers/driver.ts";

/** The data about a generation that comes beside its text and calls, most of it at the end. */
export interface Trailer {
  usage: Usage;
  finish: FinishReason;
  /** Native blocks that came after `execute`; not stored yet. */
  records: RecordEvent[];
}

/** The trailer of a generation that has given nothing of it. */
export function emptyTrailer(): Trailer {
  return { usage: { ...zeroUsage, estimated: true }, finish: "other", records: [] };
}

/** Adds an event to the trailer. Events of other types are ignored. */
export function addToTrailer(trailer: Trailer, event: StepEvent): void {
  if (event.type === "usage") trailer.usage = event.usage;
  else if (event.type === "finish") trailer.finish = event.reason;
  else if (event.type === "record") trailer.records.push(event);
}

/** Reads the rest of a generation, after `execute`, into the trailer. Never rejects. */
export async function readTrailer(generation: AsyncIterator<StepEvent>, trailer: Trailer): Promise<void> {
  try {
    for (let next = await generation.next(); !next.done; next = await generation.next())
      addToTrailer(trailer, next.value);
  } catch {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
  }
}
