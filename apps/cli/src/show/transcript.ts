import { styleText } from "node:util";
import { type Attachment, callOf, type Json, missingResults, parseResults, type ToolCall } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { attachmentBytes } from "@cogency/tools";
import { counted, excerpt, oneLine, visible } from "../terminal/text.ts";
import type { ShownApproval } from "./approvals-of.ts";
import { callLine, resultLine } from "./call-lines.ts";

export interface TranscriptOptions {
  thinking: boolean;
  /** The answers to questions for approval, by the number of the event. */
  approvals: ReadonlyMap<number, ShownApproval>;
  /** Where it will be shown. */
  stream: NodeJS.WriteStream;
}

/** A conversation as a person reads it: paragraphs of text, and a block of lines for each batch of calls. */
export function transcript(events: readonly StoredEvent[], options: TranscriptOptions): string {
  const paragraphs: string[][] = [];
  let previous: StoredEvent["type"] | undefined;
  for (const event of events) {
    const lines = linesOf(event, options);
    if (lines.length === 0) continue;
    const isSameBatch = previous === "call" && inBatch.has(event.type);
    if (isSameBatch) paragraphs.at(-1)?.push(...lines);
    else paragraphs.push(lines);
    if (!isSameBatch || event.type !== "record") previous = event.type;
  }
  // The next run finds the same in the log.
  const owed = missingResults(events).map((result) => resultLine(result, options.stream));
  if (previous === "call") paragraphs.at(-1)?.push(...owed);
  else if (owed.length > 0) paragraphs.push(owed);
  return `${paragraphs.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const inBatch: ReadonlySet<StoredEvent["type"]> = new Set(["call", "result", "record"]);

function linesOf(event: StoredEvent, { thinking, approvals, stream }: TranscriptOptions): string[] {
  const dim = (text: string) => styleText("dim", text, { stream });
  switch (event.type) {
    case "user": {
      const said = visible(event.content).split("\n");
      const attached = (event.attachments ?? []).map((one) => dim(`  ${attachedText(one)}`));
      if (event.origin !== undefined) return [...said.map((line) => dim(`(${event.origin}) ${line}`)), ...attached];
      return [...said.map((line) => styleText("bold", `> ${line}`, { stream })), ...attached];
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
    case "record": {
      const stop = event.kind === "run" ? stopText(event.data) : undefined;
      if (stop !== undefined) return [dim(`(stopped: ${stop})`)];
      const approval = approvals.get(event.seq);
      return approval ? [dim(approvalText(approval))] : [];
    }
  }
}

function attachedText(attachment: Attachment): string {
  const { name, mediaType, data } = attachment;
  const size = typeof data === "string" ? counted(attachmentBytes(attachment), "byte") : data.url;
  const words = [...(name === undefined ? [] : [name]), mediaType, size];
  return `(attached: ${oneLine(words.join(", "), 200)})`;
}

/** Why a run ended although the model was not done. A log from elsewhere may hold anything. */
function stopText(data: unknown): string | undefined {
  const { stop } = (data ?? {}) as { stop?: unknown };
  const { message } = (stop ?? {}) as { message?: unknown };
  return typeof message === "string" ? oneLine(message, 200) : undefined;
}

function approvalText({ name, args, status, reason, isOurs }: ShownApproval): string {
  const call = `${oneLine(name, 64)} ${args === undefined ? "" : oneLine(JSON.stringify(args), 80)}`.trimEnd();
  if (status === "asked") return `(asked: ${call})`;
  const why = reason === undefined ? "" : `, ${oneLine(reason, 200)}`;
  return `(${status}${isOurs ? "" : ", which cannot be verified here and does not count"}: ${call}${why})`;
}

/** A driver of another author may have stored a call that cannot be read. */
function readable(content: string): ToolCall {
  try {
    return callOf({ content });
  } catch {
    return { name: "?", args: { text: content } };
  }
}

const excerptLines = 5;

/** The text of a result: a string, the `text` of a page, or the `stdout` of a program. */
export function textOf(content: Json): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return "";
  const text = content.text ?? content.stdout;
  return typeof text === "string" ? text : "";
}
