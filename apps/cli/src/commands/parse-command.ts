import { type AgentEvent, createParser, type FinishReason } from "@cogency/protocol";
import { createSettler } from "@cogency/protocol/host";
import { putLine } from "../base/terminal/output.ts";

export interface ParseCommandOptions {
  stream: "token" | "event";
  startIn: "text" | "think";
  repair?: true;
  results: "forbid" | "allow";
  finish: FinishReason;
}

/** `cogency parse`: prints each event as soon as it is complete. Stops reading when the parser is done (protocol.md P5). */
export async function parseCommand(options: ParseCommandOptions): Promise<void> {
  const { stream, startIn, repair, results, finish } = options;
  const parser = createParser({ startIn, repair, results });
  const settler = createSettler();
  const decoder = new TextDecoder();
  const write = (events: AgentEvent[]) => {
    print(stream === "token" ? events : events.flatMap((event) => settler.write(event)));
  };

  for await (const chunk of process.stdin) {
    write(parser.write(decoder.decode(chunk, { stream: true })));
    if (parser.done) break;
  }
  write(parser.write(decoder.decode()));
  write(parser.end(finish));
  if (stream === "event") print(settler.end());
}

function print(events: AgentEvent[]): void {
  for (const event of events) void putLine(event);
}
