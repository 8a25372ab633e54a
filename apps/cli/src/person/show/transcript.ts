import { stripVTControlCharacters, styleText } from "node:util";
import { planTool, presentTool } from "@cogency/plan/log";
import { type Attachment, callOf, type Json, missingResults, parseResults, type ToolCall } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { attachmentBytes } from "@cogency/tools/host";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { counted, excerpt, oneLine, visible, widthOr, wrappedFor } from "../../base/terminal/text.ts";
import type { ShownApproval } from "./approvals-of.ts";
import { callLine, resultLine } from "./call-lines.ts";

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
      return [dim("(cancelled)")];
    case "record": {
      const notice = event.kind === "notice" ? noticeText(event.data) : undefined;
      if (notice !== undefined) return [styleText("yellow", `! ${notice}`, { stream })];
      const stop = event.kind === "run" ? stopText(event.data) : undefined;
      if (stop !== undefined) return [dim(`(stopped: ${stop})`)];
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
  return typeof message === "string" ? oneLine(inPlainWords(message), 200) : undefined;
}

/** Why the conversation did not go on. A log from elsewhere may hold anything. */
function noticeText(data: unknown): string | undefined {
  const { message, retryAt } = (data ?? {}) as { message?: unknown; retryAt?: unknown };
  if (typeof message !== "string") return undefined;
  const next = new Date(typeof retryAt === "number" ? retryAt * 1000 : Number.NaN);
  const when = Number.isNaN(next.getTime()) ? "" : ` Next try: ${next.toLocaleTimeString("sv-SE")}.`;
  return `${oneLine(inPlainWords(message), 300)}${when}`;
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
