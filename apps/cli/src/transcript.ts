import { styleText } from "node:util";
import { callOf, type Json, parseResults, type ToolCall } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { callLine, resultLine } from "./call-lines.ts";
import { excerpt, visible } from "./text.ts";

export interface TranscriptOptions {
  thinking: boolean;
  /** Where it will be shown. */
  stream: NodeJS.WriteStream;
}

/** A conversation as a person reads it: paragraphs of what was said, and a block of lines for each batch of calls. */
export function transcript(events: readonly StoredEvent[], options: TranscriptOptions): string {
  const paragraphs: string[][] = [];
  let previous: StoredEvent["type"] | undefined;
  for (const event of events) {
    const lines = linesOf(event, options);
    if (lines.length === 0) continue;
    const isSameBatch = previous === "call" && (event.type === "call" || event.type === "result");
    if (isSameBatch) paragraphs.at(-1)?.push(...lines);
    else paragraphs.push(lines);
    previous = event.type;
  }
  return `${paragraphs.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function linesOf(event: StoredEvent, { thinking, stream }: TranscriptOptions): string[] {
  const dim = (text: string) => styleText("dim", text, { stream });
  switch (event.type) {
    case "user": {
      const said = visible(event.content).split("\n");
      if (event.origin !== undefined) return said.map((line) => dim(`(${event.origin}) ${line}`));
      return said.map((line) => styleText("bold", `> ${line}`, { stream }));
    }
    case "think":
      return thinking
        ? visible(event.content)
            .split("\n")
            .map((line) => dim(`~ ${line}`))
        : [];
    case "respond":
      return visible(event.content).split("\n");
    case "call":
      return [callLine(readable(event.content), stream)];
    case "result":
      return (parseResults(event.content) ?? []).flatMap((result) => {
        const line = resultLine(result, stream);
        const text = result.status === "success" ? textOf(result.content).trimEnd() : "";
        if (text === "") return [line];
        return [line, ...excerpt(text, excerptLines, (stream.columns ?? 160) - 4).map((text) => dim(`    ${text}`))];
      });
    case "cancelled":
      return [dim("(cancelled)")];
    case "record":
      return [];
  }
}

/** A driver of somebody's own may have stored a call that cannot be read. */
function readable(content: string): ToolCall {
  try {
    return callOf({ content });
  } catch {
    return { name: "?", args: { text: content } };
  }
}

const excerptLines = 5;

/** A page of a text, and what a program printed, are read like a text that comes as it is. */
function textOf(content: Json): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return "";
  const text = content.text ?? content.stdout;
  return typeof text === "string" ? text : "";
}
