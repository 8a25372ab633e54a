import { stripVTControlCharacters, styleText } from "node:util";
import type { Attachment, Json, RunEvent } from "@cogency/protocol";
import { attachmentBytes } from "@cogency/tools";
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { redacted } from "../../errors/redacted.ts";
import { markdownRows, markdownTheme } from "../../screen/markdown-rows.ts";
import { type MarkdownPart, MarkdownStream } from "../../screen/markdown-stream.ts";
import type { Block } from "../../screen/screen.ts";
import { diffOf } from "../../show/diff-lines.ts";
import { counted, oneLine, padded, revealed, visible, wordWrapped } from "../../terminal/text.ts";
import type { RemarkKind, Rows } from "../conversation/conversation-view.ts";
import type { Page } from "../page.ts";
import { endedCallLines, type RunningCall, runningCallLines, writtenCallLine } from "./call-lines.ts";
import { durationText, runningText, secondsSince } from "./duration-text.ts";

interface Thinking {
  text: string;
  readonly startedAt: number;
  readonly unit: number | undefined;
}

/**
 * Shows the turns of a conversation: what has settled goes to the page for good, and what may still change stands in `rows`. A call
 * is a line with its outcome; its whole output can be shown later.
 */
export class TurnView {
  /** Whether thoughts are shown whole. */
  showsThinking = false;
  readonly #page: Page;
  readonly #theme: MarkdownTheme;
  readonly #markdown = new MarkdownStream();
  #unit: number | undefined;
  #thinking: Thinking | undefined;
  readonly #written = new Map<string, { name: string; text: string }>();
  readonly #running = new Map<string, RunningCall>();
  readonly #diffs = new Map<string, string[]>();
  /** The head of the chat is a line. */
  #last: "text" | "line" = "line";

  constructor(page: Page) {
    this.#page = page;
    this.#theme = markdownTheme(page.stream);
  }

  /** Shows what the person said. */
  said(text: string, attachments: readonly Attachment[] = []): void {
    const lines = visible(text).trimEnd().split("\n");
    const hidden = lines.length > mostSaid + 1 ? lines.length - mostSaid : 0;
    const shown = lines.slice(0, lines.length - hidden);
    this.#settleText();
    this.#text((columns) => [
      ...shown
        .flatMap((line) => wordWrapped(line, columns - 2))
        .map((line, at) => this.#bold(`${at === 0 ? ">" : " "} ${line}`)),
      ...(hidden > 0 ? [this.#dim(`  … ${counted(hidden, "more line")}, all of which the model reads`)] : []),
      ...attachments.map((attachment) => this.#dim(oneLine(`  ${attachedText(attachment)}`, columns))),
    ]);
  }

  /** Shows a remark of the app. */
  remark(text: string, kind: RemarkKind = "note"): void {
    const { prefix, style } = remarks[kind];
    const lines = `${prefix}${visible(text).trimEnd()}`.split("\n");
    this.#line((columns) =>
      lines.flatMap((line) => wordWrapped(line, columns)).map((line) => this.#styled(style, line)),
    );
  }

  /** Shows names and what they are, in two columns. */
  list(rows: Rows): void {
    const width = Math.min(30, Math.max(...rows.map(([name]) => name.length)));
    this.#text((columns) =>
      rows.flatMap(([name, text]) => {
        const lines = wordWrapped(visible(text).replace(/\s+/g, " "), Math.max(20, columns - width - 4));
        const isLong = name.length > width;
        return [
          ...(isLong ? [`  ${visible(name)}`] : []),
          ...lines.map((line, at) => `  ${padded(at === 0 && !isLong ? visible(name) : "", width)}  ${line}`),
        ];
      }),
    );
  }

  /** Shows a text whole. */
  text(text: string): void {
    const lines = visible(stripVTControlCharacters(text)).trimEnd().split("\n");
    this.#text((columns) => lines.flatMap((line) => wordWrapped(line, columns)));
  }

  /** Shows lines as they are. */
  lines(block: Block): void {
    this.#text(block);
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case "respond":
        this.#endThinking();
        if (event.unit === undefined || event.unit !== this.#unit) this.#endText();
        this.#unit = event.unit;
        for (const part of this.#markdown.push(visible(event.content))) this.#markdownPart(part);
        if (event.unit === undefined) this.#endText();
        break;
      case "think":
        this.#endText();
        if (event.unit === undefined || event.unit !== this.#thinking?.unit) this.#endThinking();
        this.#thinking ??= { text: "", startedAt: performance.now(), unit: event.unit };
        this.#thinking.text += event.content;
        break;
      case "call_delta": {
        this.#settleText();
        const key = String(event.index);
        const call = this.#written.get(key) ?? { name: "", text: "" };
        this.#written.set(key, { name: event.name ?? call.name, text: call.text + event.content });
        break;
      }
      case "execute":
        this.#settleText();
        this.#written.clear();
        break;
      case "tool_started":
        this.#settleText();
        this.#running.set(event.id, { call: event, startedAt: performance.now(), progress: "" });
        break;
      case "tool_progress": {
        const diff = diffOf(event.update);
        if (diff !== undefined) this.#diffs.set(event.id, [...(this.#diffs.get(event.id) ?? []), diff]);
        const call = this.#running.get(event.id);
        if (call) call.progress = progressAfter(event.update, call.progress);
        break;
      }
      case "tool_ended": {
        this.#settleText();
        this.#running.delete(event.id);
        const diffs = this.#diffs.get(event.id) ?? [];
        this.#diffs.delete(event.id);
        this.#line((columns) => endedCallLines(event, diffs, columns, this.#page.stream));
        break;
      }
      case "request_retried":
        this.#settleText();
        this.remark(`${redacted(event.message)} Asking again in ${durationText(event.delay / 1000)}.`, "warning");
        break;
      case "error":
        this.#settleText();
        this.#written.clear();
        this.remark(redacted(event.content), "warning");
        break;
      case "extraction_failed":
      case "validation_failed":
        this.remark(redacted(event.message), "warning");
        break;
      case "compacted":
        this.remark(`The earlier part of the conversation is summed up: ${event.before} tokens became ${event.after}.`);
        break;
      case "step_ended":
      case "end":
      case "cancelled":
      case "interrupt":
        this.#settleText();
        break;
      case "run_ended":
        this.#settleText();
        this.#written.clear();
        this.#running.clear();
        this.#diffs.clear();
        break;
      default:
        return;
    }
    this.#page.refresh();
  }

  /** What may still change, in rows of so many columns. */
  rows(columns: number): string[] {
    const { stream } = this.#page;
    const rows: string[] = [];
    const tail = this.#markdown.tail;
    if (tail) rows.push(...partRows(tail, columns, this.#theme));
    if (this.#thinking) rows.push(this.#dim(thinkingText(this.#thinking, columns)));
    for (const { name, text } of this.#written.values()) rows.push(writtenCallLine(name, text, columns, stream));
    for (const call of this.#running.values()) rows.push(...runningCallLines(call, columns, stream));
    const isApart = tail ? !tail.goesOn && this.#last !== undefined : this.#last === "text";
    return rows.length > 0 && isApart ? ["", ...rows] : rows;
  }

  #settleText(): void {
    this.#endText();
    this.#endThinking();
  }

  #endText(): void {
    const rest = this.#markdown.end();
    if (rest !== undefined) this.#markdownPart(rest);
    this.#unit = undefined;
  }

  #endThinking(): void {
    if (!this.#thinking) return;
    const { text, startedAt } = this.#thinking;
    this.#thinking = undefined;
    if (text.trim() === "") return;
    const seconds = secondsSince(startedAt);
    this.#line(() => [this.#dim(seconds < 1 ? "thought briefly" : `thought for ${runningText(seconds)}`)]);
    if (!this.showsThinking) return;
    const lines = visible(text).trim().split("\n");
    this.#line((columns) =>
      lines.flatMap((line) => wordWrapped(line, columns - 2)).map((line) => this.#dim(`  ${line}`.trimEnd())),
    );
  }

  #markdownPart(part: MarkdownPart): void {
    const rows = (columns: number) => partRows(part, columns, this.#theme);
    if (part.goesOn) this.#page.add(rows);
    else this.#text(rows);
  }

  /** Adds a paragraph, after an empty line. */
  #text(block: Block): void {
    this.#last = "text";
    this.#page.add((columns) => ["", ...block(columns)]);
  }

  /** Adds lines about what happens. Those of one kind stand together. */
  #line(block: Block): void {
    const isApart = this.#last === "text";
    this.#last = "line";
    this.#page.add((columns) => [...(isApart ? [""] : []), ...block(columns)]);
  }

  #styled(style: Parameters<typeof styleText>[0], text: string): string {
    return styleText(style, text, { stream: this.#page.stream });
  }

  #dim(text: string): string {
    return this.#styled("dim", text);
  }

  #bold(text: string): string {
    return this.#styled("bold", text);
  }
}

/** Lines that are shown of what a person said. */
const mostSaid = 30;

const remarks = {
  note: { prefix: "", style: "dim" },
  warning: { prefix: "! ", style: "yellow" },
  error: { prefix: "error: ", style: "red" },
} as const satisfies Record<RemarkKind, { prefix: string; style: Parameters<typeof styleText>[0] }>;

/** `thinking 3 s  …and then the test fails` */
function thinkingText({ text, startedAt }: Thinking, columns: number): string {
  const head = `thinking ${runningText(secondsSince(startedAt))}  `;
  const room = Math.max(8, columns - head.length);
  const line = revealed(
    text
      .slice(-room * 2)
      .replace(/\s+/g, " ")
      .trim(),
  );
  return head + (line.length > room ? `…${line.slice(-(room - 1))}` : line);
}

/** The rows of a part; empty ones at the ends stay only where its block goes on. */
function partRows(part: MarkdownPart, columns: number, theme: MarkdownTheme): readonly string[] {
  const rows = markdownRows(part, columns, theme);
  const isFull = (row: string) => row !== "";
  const first = part.goesOn ? 0 : Math.max(0, rows.findIndex(isFull));
  return rows.slice(first, part.isOpen ? undefined : rows.findLastIndex(isFull) + 1);
}

function attachedText(attachment: Attachment): string {
  const { name, mediaType, data } = attachment;
  const size = typeof data === "string" ? counted(attachmentBytes(attachment), "byte") : data.url;
  return `(attached: ${[...(name === undefined ? [] : [name]), mediaType, size].join(", ")})`;
}

function progressAfter(update: Json, before: string): string {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return before;
  const { text, url, query } = update;
  if (typeof text === "string") return stripVTControlCharacters((before + text).slice(-4096));
  return [url, query].find((value) => typeof value === "string") ?? before;
}
