import { type ChunkSize, cut, step } from "./chunks.ts";
import { type Transcript, type TranscriptName, transcripts } from "./transcripts.ts";

/** The input of one run: a transcript in chunks. */
export interface Input extends Transcript {
  chunks: readonly string[];
  /** The number of chunks that end before the block begins. */
  textChunks: number;
  /** Offsets of the arguments' texts, by call; empty in the JSON dialect. */
  argumentOffsets: readonly ArgumentOffset[][];
}

/** The result of a run. It also keeps objects alive: the engine would have to optimize again what is collected. */
export interface Found {
  /** The calls, each as an object or as JSON text; absent if the contender does not look for calls. */
  calls?: readonly unknown[];
  [alive: string]: unknown;
}

interface ArgumentOffset {
  name: string;
  start: number;
  end: number;
}

export function inputOf(name: TranscriptName, size: number, chunk: ChunkSize): Input {
  const transcript = transcripts[name](size);
  const textChunks = Math.floor(transcript.blockStart / step(transcript.text, chunk));
  return { ...transcript, chunks: cut(transcript.text, chunk), textChunks, argumentOffsets: offsets(transcript) };
}

function offsets({ dialect, text, blockStart, calls }: Transcript): ArgumentOffset[][] {
  if (dialect === "json") return [];
  let end = blockStart;
  return calls.map(({ args }) =>
    Object.entries(args).map(([name, value]) => {
      const start = text.indexOf(String(value), text.indexOf(`<${name}>`, end));
      end = start + String(value).length;
      return { name, start, end };
    }),
  );
}
