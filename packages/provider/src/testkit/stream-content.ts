import { assert, within } from "@cogency/protocol/testkit";
import type { ModelEvent } from "../provider.ts";

/** The events of a stream, and its error. */
export interface StreamContent {
  events: ModelEvent[];
  /** The value that the stream threw; absent if it threw none. */
  error?: unknown;
}

/** Reads a stream to its end. Fails if no event comes within `patience` milliseconds. */
export async function readStream(stream: AsyncIterable<ModelEvent>, patience: number): Promise<StreamContent> {
  return restOf(iteratorOf(stream), patience);
}

export function iteratorOf(stream: AsyncIterable<ModelEvent>): AsyncIterator<ModelEvent> {
  const isIterable = typeof (stream as Partial<typeof stream> | undefined)?.[Symbol.asyncIterator] === "function";
  assert(
    isIterable,
    `\`stream\` must return an async iterable, as an async generator does, and returned ${String(stream)}.`,
  );
  return stream[Symbol.asyncIterator]();
}

/** More than any answer of the kit has. */
const mostEvents = 100_000;

export async function restOf(iterator: AsyncIterator<ModelEvent>, patience: number): Promise<StreamContent> {
  const events: ModelEvent[] = [];
  for (;;) {
    const step = await within(
      settled(iterator.next()),
      patience,
      `After ${countOf(events)} the stream gave no other event`,
    );
    if ("error" in step) return { events, error: step.error };
    if (step.result.done) return { events };
    events.push(step.result.value);
    // A time limit would not stop it: a generator that never waits lets no timer run.
    assert(events.length < mostEvents, `The stream gave ${mostEvents} events and did not come to its end.`);
  }
}

/** The next event; undefined at the end. Errors of the stream pass through unchanged. */
export async function nextOf(
  iterator: AsyncIterator<ModelEvent>,
  patience: number,
  what: string,
): Promise<ModelEvent | undefined> {
  const { done, value } = await within(iterator.next(), patience, `${what}: the stream gave no further event`);
  return done ? undefined : value;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

/** Whether the event is a piece of the answer's content. */
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

function countOf(events: readonly ModelEvent[]): string {
  return events.length === 1 ? "1 event" : `${events.length} events`;
}
