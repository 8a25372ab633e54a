import { createParser } from "@cogency/protocol";
import { compare } from "@tooling/bench";
import { cut, mixedTranscript, singleArgument } from "./transcripts.ts";

// The least that any parser does: put the text together, find the block, decode it. The event floor adds one event and
// one clock read for each chunk of text, which is what a consumer asked for.

function batchFloor(chunks: readonly string[]): unknown {
  let text = "";
  for (const chunk of chunks) text += chunk;
  const open = text.lastIndexOf("<execute>");
  return JSON.parse(text.slice(open + "<execute>".length, text.lastIndexOf("</execute>")));
}

function eventFloor(chunks: readonly string[], textChunks: number): unknown {
  const events: object[] = [];
  for (let i = 0; i < textChunks; i++) {
    events.push({ type: "respond", content: chunks[i], timestamp: Date.now() / 1000, unit: 0 });
  }
  return [events, batchFloor(chunks)];
}

function parse(chunks: readonly string[]): unknown {
  const parser = createParser();
  const events: object[] = [];
  for (const chunk of chunks) for (const event of parser.write(chunk)) events.push(event);
  for (const event of parser.end()) events.push(event);
  return events;
}

const megabyte = 1_000_000;
for (const [name, text] of [
  ["mixed transcript", mixedTranscript(megabyte)],
  ["one large argument", singleArgument(megabyte)],
] as const) {
  for (const size of [4, 64, 4096]) {
    const chunks = cut(text, size);
    const textChunks = Math.floor(text.lastIndexOf("<execute>") / size);
    await compare(`${name}, ${text.length} characters in chunks of ${size}`, { rounds: 7 }, [
      { name: "event floor", run: () => eventFloor(chunks, textChunks), floor: true, bytes: text.length },
      { name: "batch floor", run: () => batchFloor(chunks), bytes: text.length },
      { name: "parser", run: () => parse(chunks), bytes: text.length },
    ]);
  }
}
