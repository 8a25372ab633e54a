import type { AgentEvent } from "../events.ts";
import { callOf } from "../serialize.ts";
import type { ParserVector, VectorEvent } from "./vectors.ts";

/** One check, for any test runner: `it(name, run)`. */
export interface ConformanceCase {
  name: string;
  /** Throws {@link ConformanceError} when the parser does not conform. */
  run(): void;
}

export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly code = "not_conformant";
}

/** Parses the chunks of one generation and returns the settled events. */
export type ParseChunks = (chunks: readonly string[], vector: ParserVector) => AgentEvent[];

/**
 * A case a vector: for the chunks as they are, for the whole text at once, for one UTF-16 unit at a time and for every
 * cut in two, the parser gives the vector's events, and the very same ones each time (protocol.md P1).
 */
export function parserConformance(vectors: readonly ParserVector[], parseChunks: ParseChunks): ConformanceCase[] {
  return vectors.map((vector) => ({
    name: vector.name,
    run() {
      let reference: string | undefined;
      for (const chunks of chunkings(vector.chunks)) {
        const events = parseChunks(chunks, vector).map(({ timestamp: _, ...event }) => event);
        expectEqual(events.map(decoded), vector.events, chunks, vector.why);
        reference ??= canonicalText(events);
        if (canonicalText(events) !== reference) {
          throw new ConformanceError(`The events depend on how the text is cut: ${JSON.stringify(chunks)}`);
        }
      }
    },
  }));
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

function expectEqual(actual: unknown, expected: unknown, chunks: readonly string[], why: string): void {
  if (canonicalText(actual) === canonicalText(expected)) return;
  throw new ConformanceError(
    `${why}\nchunks   ${JSON.stringify(chunks)}\nexpected ${JSON.stringify(expected)}\nactual   ${JSON.stringify(actual)}`,
  );
}

/** JSON text with sorted keys. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
