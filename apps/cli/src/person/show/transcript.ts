import { stripVTControlCharacters, styleText } from "node:util";
import { planTool, presentTool } from "@cogency/plan/log";
import { type Attachment, callOf, type Json, missingResults, parseResults, type ToolCall } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { attachmentBytes } from "@cogency/tools/host";
import { counted, excerpt, oneLine, visible, widthOr, wrappedFor } from "../../base/terminal/text.ts";
import type { ShownApproval } from "./approvals-of.ts";
import { callLine, resultLine } from "./call-lines.ts";
import { remarkOf } from "./remark-of.ts";

export interface TranscriptOptions {
  thinking: boolean;
  /** Where it will be shown. */
  stream: NodeJS.WriteStream;
}

/** A conversation as a person reads it: paragraphs of text, and a block of lines for each batch of calls. */
export function transcript(
  events: readonly StoredEvent[],
  { approvals, ...options }: TranscriptOptions & { approvals: ReadonlyMap<number, ShownApproval> },
): string {
  const writer = new TranscriptWriter(options);
  return events.map((event) => writer.event(event, approvals.get(event.seq))).join("") + writer.owed(events);
}

/** Writes a conversation event by event. */
export class TranscriptWriter {
  readonly #options: TranscriptOptions;
  #previous: StoredEvent["type"] | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The lines of an event, after an empty line where a paragraph begins; empty for one that is not shown. */
  event(event: StoredEvent, approval: ShownApproval | undefined): string {
    const lines = linesOf(event, approval, this.#options);
    if (lines.length === 0) return "";
    const isSameBatch = this.#previous === "call" && inBatch.has(event.type);
    const text = paragraph(lines, isSameBatch || this.#previous === undefined);
    if (!isSameBatch || event.type !== "record") this.#previous = event.type;
    return text;
  }

  /** The results that calls of the log will have if nothing more is done: the next run finds the same. */
  owed(events: readonly StoredEvent[]): string {
    const lines = missingResults(events).map((result) => resultLine(result, this.#options.stream));
    return paragraph(lines, this.#previous === "call" || this.#previous === undefined);
  }
}

function paragraph(lines: readonly string[], goesOn: boolean): string {
  return lines.length === 0 ? "" : `${goesOn ? "" : "\n"}${lines.join("\n")}\n`;
}

const inBatch: ReadonlySet<StoredEvent["type"]> = new Set(["call", "result", "record"]);

function linesOf(
  event: StoredEvent,
  approval: ShownApproval | undefined,
  { thinking, stream }: TranscriptOptions,
): string[] {
  const dim = (text: string) => styleText("dim", text, { stream });
  const lines = (text: string, margin = 0) => wrappedFor(stream, visible(text), margin).split("\n");
  switch (event.type) {
    case "user": {
      const said = lines(event.content, event.origin === undefined ? 2 : event.origin.length + 3);
      const attached = (event.attachments ?? []).map((one) => dim(`  ${attachedText(one)}`));
      if (event.origin !== undefined) return [...said.map((line) => dim(`(${event.origin}) ${line}`)), ...attached];
      return [...said.map((line) => styleText("bold", `> ${line}`, { stream })), ...attached];
    }
    case "think":
      return thinking ? lines(event.content, 2).map((line) => dim(`~ ${line}`)) : [];
    case "respond":
      return lines(event.content);
    case "call": {
      const call = readable(event.content);
      // What a person accepts stands whole.
      const presented = call.name === presentTool && typeof call.args.plan === "string" ? call.args.plan.trim() : "";
      const text = presented === "" ? [] : lines(presented, 4);
      return [callLine(call, stream), ...text.map((line) => `    ${line}`.trimEnd())];
    }
    case "result":
      return (parseResults(event.content) ?? []).flatMap((result) => {
        // The line of the call says all of it.
        if (result.tool === planTool && result.status === "success") return [];
        const line = resultLine(result, stream);
        const text = result.status === "success" ? textOf(result.content).trimEnd() : "";
        // The answer of an agent may stand on its line as a whole.
        if (text === "" || stripVTControlCharacters(line).endsWith(`: ${text}`)) return [line];
        return [line, ...excerpt(text, excerptLines, widthOr(stream, 160) - 4).map((text) => dim(`    ${text}`))];
      });
    case "cancelled":
    case "record": {
      const remark = remarkOf(event, approval);
      if (remark === undefined) return [];
      return [remark.kind === "warning" ? styleText("yellow", `! ${remark.text}`, { stream }) : dim(remark.text)];
    }
  }
}

function attachedText(attachment: Attachment): string {
  const { name, mediaType, data } = attachment;
  const size = typeof data === "string" ? counted(attachmentBytes(attachment), "byte") : data.url;
  const words = [...(name === undefined ? [] : [name]), mediaType, size];
  return `(attached: ${oneLine(words.join(", "), 200)})`;
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
