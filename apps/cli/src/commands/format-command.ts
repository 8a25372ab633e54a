import { createInterface } from "node:readline";
import type { AgentEvent, Dialect } from "@cogency/protocol";
import { UsageError } from "../base/errors/usage-error.ts";
import { put } from "../base/terminal/output.ts";
import { oneLine, visible } from "../base/terminal/text.ts";
import { ProtocolText } from "./protocol-text.ts";

export interface FormatCommandOptions {
  dialect: Dialect;
}

/**
 * `cogency format`: reads the events that `parse` prints from stdin, and writes the text that they stand for.
 *
 * @throws UsageError for a line that is no such event
 */
export async function formatCommand({ dialect }: FormatCommandOptions): Promise<void> {
  const text = new ProtocolText(dialect);
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() !== "") await write(() => text.write(eventIn(line)), number);
  }
  await write(() => text.end(), number);
}

async function write(text: () => string, line: number): Promise<void> {
  let written: string;
  try {
    written = text();
  } catch (cause) {
    throw new UsageError(`stdin line ${line}: ${oneLine((cause as Error).message, 200)}.`, { cause });
  }
  await put(process.stdout.isTTY ? visible(written) : written);
}

function eventIn(line: string): AgentEvent {
  const event: unknown = JSON.parse(line);
  const { type, content } = (event ?? {}) as { type?: unknown; content?: unknown };
  const hasContent = typeof content === "string" || type === "execute" || type === "end";
  if (typeof type !== "string" || !hasContent) throw new TypeError("it is no event as parse prints them");
  return event as AgentEvent;
}
