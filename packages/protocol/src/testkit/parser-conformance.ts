import { callOf } from "../call-content.ts";
import type { AgentEvent } from "../events.ts";
import type { ConformanceCase } from "./kit/conformance-cases.ts";
import { ConformanceError } from "./kit/conformance-error.ts";
import { reportOf } from "./kit/conformance-report.ts";
import type { ParserVector, VectorEvent } from "./vectors.ts";

/** Parses the chunks of one generation and returns the settled events. */
export type ParseChunks = (chunks: readonly string[], vector: ParserVector) => AgentEvent[];

/**
 * One case for each vector. The parser must give the vector's events for the chunks as they are, for the whole text at
 * once, for one UTF-16 unit at a time and for every cut in two, and exactly the same events each time (protocol.md P1).
 */
export function parserConformance(vectors: readonly ParserVector[], parseChunks: ParseChunks): ConformanceCase[] {
  return vectors.map((vector) => ({
    name: vector.name,
    run() {
      const start = performance.now();
      const reason = problemOf(vector, parseChunks);
      if (reason === undefined) return;
      const failed = { name: vector.name, status: "failed", reason, duration: performance.now() - start } as const;
      throw new ConformanceError(reason, reportOf("parser", [failed]));
    },
  }));
}

function problemOf(vector: ParserVector, parseChunks: ParseChunks): string | undefined {
  let reference: string | undefined;
  for (const chunks of chunkings(vector.chunks)) {
    const events = parseChunks(chunks, vector).map(({ timestamp: _, ...event }) => event);
    const settled = events.map(decoded);
    if (sortedJson(settled) !== sortedJson(vector.events)) {
      const lines = [
        ["chunks  ", chunks] as const,
        ["expected", vector.events] as const,
        ["actual  ", settled] as const,
      ];
      return [vector.why, ...lines.map(([label, value]) => `${label} ${JSON.stringify(value)}`)].join("\n");
    }
    reference ??= sortedJson(events);
    if (sortedJson(events) !== reference) {
      return `The events depend on how the text is cut: ${JSON.stringify(chunks)}`;
    }
  }
  return undefined;
}

/** The chunks as given, the whole text, one unit at a time, every cut in two. */
export function* chunkings(chunks: readonly string[]): Generator<readonly string[]> {
  const text = chunks.join("");
  yield chunks;
  yield [text];
  yield text.split("");
  for (let cut = 1; cut < text.length; cut++) yield [text.slice(0, cut), text.slice(cut)];
}

function decoded(event: { type: string; content?: string; code?: string }): VectorEvent {
  switch (event.type) {
    case "call": {
      const { name, args } = callOf(event as Parameters<typeof callOf>[0]);
      return { type: "call", name, args };
    }
    case "result":
      return { type: "result", content: JSON.parse(event.content ?? "") };
    case "error":
      return { type: "error", code: event.code ?? "" };
    case "think":
    case "respond":
      return { type: event.type, content: event.content ?? "" };
    default:
      return { type: event.type as "execute" | "end" };
  }
}

/** JSON text with sorted keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
