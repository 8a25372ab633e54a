import type { ModelEvent } from "../provider.ts";
import { within } from "./within.ts";

/** What a stream gave. */
export interface Outcome {
  events: ModelEvent[];
  /** What it threw, if it did. */
  error?: unknown;
}

/** Reads a stream to its end, and fails if it does not go on within `patience` milliseconds. */
export async function outcomeOf(stream: AsyncIterable<ModelEvent>, patience: number): Promise<Outcome> {
  return restOf(stream[Symbol.asyncIterator](), patience);
}

export async function restOf(iterator: AsyncIterator<ModelEvent>, patience: number): Promise<Outcome> {
  const events: ModelEvent[] = [];
  for (;;) {
    const step = await within(settled(iterator.next()), patience, `After ${told(events)} the stream gave nothing more`);
    if ("error" in step) return { events, error: step.error };
    if (step.result.done) return { events };
    events.push(step.result.value);
  }
}

/** The next event; undefined at the end. What the stream throws passes. */
export async function nextOf(iterator: AsyncIterator<ModelEvent>, patience: number): Promise<ModelEvent | undefined> {
  const { done, value } = await within(iterator.next(), patience, "The stream gave no event");
  return done ? undefined : value;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

/** Whether the event is a piece of the answer, and not of its end. */
export function isContent({ type }: ModelEvent): boolean {
  return type === "text" || type === "reasoning" || type === "tool_call_delta";
}

async function settled(promise: Promise<IteratorResult<ModelEvent>>) {
  try {
    return { result: await promise };
  } catch (error) {
    return { error };
  }
}

function told(events: readonly ModelEvent[]): string {
  return events.length === 1 ? "1 event" : `${events.length} events`;
}
