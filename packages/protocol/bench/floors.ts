import { Consumer } from "./consumer.ts";
import type { Found, Input } from "./input.ts";

/** One event object and one clock read a chunk: the least that any streaming parser does. */
export function identityWriter({ chunks }: Input): Found {
  const consumer = new Consumer();
  for (const content of chunks) consumer.take({ type: "respond", content, timestamp: Date.now() / 1000, unit: 0 });
  return { consumer };
}

/** Joins the text, and decodes the block at its known offsets. */
export function batchFloor(input: Input): Found {
  let text = "";
  for (const chunk of input.chunks) text += chunk;
  let start = text.indexOf("<execute>");
  while (start < input.blockStart) start = text.indexOf("<execute>", start + 1);
  const end = text.indexOf("</execute>", input.blockEnd);
  if (input.dialect === "json") {
    return { calls: JSON.parse(text.slice(start + "<execute>".length, end)) as unknown[] };
  }
  const calls = input.calls.map(({ name }, index) => {
    const args: Record<string, string> = {};
    for (const argument of input.argumentOffsets[index] ?? []) {
      args[argument.name] = text.slice(argument.start, argument.end);
    }
    // Raw text needs no decoding, but the content of a call event is JSON in this dialect too.
    return JSON.stringify({ name, args });
  });
  return { calls };
}

/** The batch floor, and one event object and one clock read for each chunk of text. */
export function eventFloor(input: Input): Found {
  const consumer = new Consumer();
  for (let i = 0; i < input.textChunks; i++) {
    const content = input.chunks[i] ?? "";
    consumer.take({ type: "respond", content, timestamp: Date.now() / 1000, unit: 0 });
  }
  return { ...batchFloor(input), consumer };
}

/** The cost of receiving the chunks one by one. */
export async function bareForAwait({ chunks }: Input): Promise<Found> {
  let length = 0;
  for await (const chunk of asynchronous(chunks)) length += chunk.length;
  return { length };
}

export async function* asynchronous(chunks: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const chunk of chunks) yield chunk;
}

/** The cost of sending the chunks through a stream that passes them on. */
export async function identityStream({ chunks }: Input): Promise<Found> {
  const reader = streamOf(chunks).pipeThrough(new TransformStream<string, string>()).getReader();
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
  return { length };
}

export function streamOf(chunks: readonly string[]): ReadableStream<string> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}
