import { bareForAwait, batchFloor, eventFloor, identityStream, identityWriter } from "./floors.ts";
import type { Found, Input } from "./input.ts";
import { type Build, ours } from "./ours.ts";
import { bufferAndRegex, reparse, type Session, streamedJson, tags } from "./peers.ts";
import type { Dialect } from "./transcripts.ts";

export interface Contender {
  name: string;
  run: (input: Input) => Found | Promise<Found>;
  /** Whether it is always measured on whole transcripts, even beyond the budget. */
  isAlwaysWhole?: true;
  /** Present for contenders whose later chunks cost more. */
  open?: () => Session;
}

export const names = {
  identityWriter: "identity writer",
  batchFloor: "batch floor",
  eventFloor: "event floor",
  parser: "createParser",
  settled: "createParser + createSettler",
  regex: "buffer and regex (calls)",
  reparse: "partial-json (calls)",
  streamedJson: "@streamparser/json (block only)",
  tags: "htmlparser2 (tags)",
  forAwait: "bare for await",
  parse: "parse()",
  identityStream: "identity TransformStream",
  stream: "ParserStream",
};

/** Other libraries and methods that can do the job, or a part of it. */
export const peers = [names.regex, names.reparse, names.streamedJson, names.tags];

/** The contenders for transcripts of this dialect. */
export function contenders(build: Build, dialect: Dialect): Contender[] {
  const { parser, settled, parse, stream } = ours(build);
  const both: Contender[] = [
    { name: names.identityWriter, isAlwaysWhole: true, run: identityWriter },
    { name: names.batchFloor, isAlwaysWhole: true, run: batchFloor },
    { name: names.eventFloor, isAlwaysWhole: true, run: eventFloor },
    { name: names.parser, isAlwaysWhole: true, run: parser },
    { name: names.settled, run: settled },
    byChunk(names.regex, () => bufferAndRegex(dialect)),
    { name: names.tags, run: tags },
  ];
  if (dialect === "xml") return both;
  return [
    ...both,
    byChunk(names.reparse, reparse),
    { name: names.streamedJson, run: streamedJson },
    { name: names.forAwait, run: bareForAwait },
    { name: names.parse, run: parse },
    { name: names.identityStream, run: identityStream },
    ...(stream ? [{ name: names.stream, ...stream }] : []),
  ];
}

function byChunk(name: string, open: () => Session): Contender {
  return {
    name,
    open,
    run({ chunks }) {
      const session = open();
      for (const chunk of chunks) session.write(chunk);
      return { calls: session.calls, session };
    },
  };
}
