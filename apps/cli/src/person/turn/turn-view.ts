import { stripVTControlCharacters, styleText } from "node:util";
import type { Attachment, RunEvent } from "@cogency/protocol";
import { attachmentBytes } from "@cogency/tools/host";
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { counted, linesWrapped, oneLine, revealed, visible, wordWrapped } from "../../base/terminal/text.ts";
import { markdownRows, markdownTheme } from "../../screen/markdown-rows.ts";
import { type MarkdownPart, MarkdownStream } from "../../screen/markdown-stream.ts";
import type { Block } from "../../screen/screen.ts";
import type { PlanUpdate } from "../plan/plan-tracker.ts";
import { changeRow } from "../show/diff-lines.ts";
import { endedCallLines } from "./call-lines.ts";
import { runningText, secondsSince } from "./duration-text.ts";
import { LiveCalls } from "./live-calls.ts";
import type { Paper } from "./paper.ts";
import { planLines } from "./plan-lines.ts";
import type { RemarkKind, Rows } from "./remark.ts";
import { type Thinking, TurnReader } from "./turn-reader.ts";

/**
 * Shows the turns of a conversation: what has settled goes to the paper for good, and what may still change stands in `rows`. A call
 * is a line with its outcome; its whole output can be shown later.
 */
export class TurnView {
  /** Whether thoughts are shown whole. */
  showsThinking = false;
  readonly #paper: Paper;
  readonly #theme: MarkdownTheme;
  readonly #markdown = new MarkdownStream();
  readonly #reader: TurnReader;
  readonly #calls = new LiveCalls();
  /** What the event that is read makes of the plan. */
  #update: PlanUpdate | undefined;
  /** The head of the chat is a line. */
  #last: "text" | "line" = "line";

  /** @param hint how all that a call printed is shown, such as `; Ctrl-O shows all` */
  constructor(paper: Paper, hint = "") {
    this.#paper = paper;
    this.#theme = markdownTheme(paper.stream);
    this.#reader = new TurnReader({
      text: (content) => this.#markdownParts(this.#markdown.push(visible(withoutReturns(content)))),
      textEnded: () => this.#markdownParts([this.#markdown.end()]),
      thought: (text, seconds) => this.#thought(text, seconds),
      callStarted: () => {},
      callEnded: (event, diffs, path) => {
        // Of what an agent does that a call has started, only its changes stay.
        if (path.length > 0 && diffs.length === 0) return;
        const update = path.length > 0 ? undefined : this.#update;
        this.#line(
          (columns) =>
            planLines(event, update, columns, paper.stream) ??
            endedCallLines(event, diffs, columns, paper.stream, path, hint),
        );
      },
      remark: (text, kind) => this.remark(text, kind),
    });
  }

  /** Shows what the person said. */
  said(text: string, attachments: readonly Attachment[] = []): void {
    const lines = visible(text).trimEnd().split("\n");
    const hidden = lines.length > mostSaid + 1 ? lines.length - mostSaid : 0;
    const shown = lines.slice(0, lines.length - hidden);
    this.#reader.settle();
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
    const shown = `${prefix}${visible(text).trimEnd()}`;
    this.#line((columns) => linesWrapped(shown, columns).map((line) => this.#styled(style, line)));
  }

  /** Shows names and what they are, in two columns. */
  list(rows: Rows): void {
    const cells = rows.map(([name, text]) => [visible(name), visible(text).replace(/\s+/g, " ")]);
    this.#text((columns) => tableLines(cells, { columns: columns - 2, firstAtMost: 30 }).map((line) => `  ${line}`));
  }

  /** Shows a text whole. */
  text(text: string): void {
    const lines = visible(stripVTControlCharacters(text)).trimEnd().split("\n");
    this.#text((columns) => lines.flatMap((line) => wordWrapped(line, columns)));
  }

  /** Shows changes of files as a unified diff. */
  diff(lines: readonly string[]): void {
    this.#text((columns) => lines.map((line) => changeRow(line, columns, this.#paper.stream)));
  }

  /** Shows the calls that are being written, without an end of the text before them. */
  writing(event: RunEvent & { type: "call_delta" | "execute" }): void {
    this.#calls.event(event);
    this.#paper.refresh();
  }

  /** The text, or the thought, that is being written is complete. */
  settled(): void {
    this.#reader.settle();
    this.#paper.refresh();
  }

  /** The text, or the thought, that is being written is lost. Of a text, what stands on the paper already stays there, so this is said. */
  brokenOff(): void {
    if (!this.#reader.breakOff()) return;
    this.#markdown.end();
    this.remark("What was being written here broke off, and is not part of the conversation.", "warning");
  }

  /** Others add lines to the paper, such as a question: what was said so far stands before them, and calls follow without a gap. */
  interrupted(): void {
    this.#reader.settle();
    this.#last = "line";
  }

  /**
   * @param isAnswer whether it is said already who settled a question, and how
   * @param update what the event makes of the plan
   */
  event(event: RunEvent, isAnswer = false, update?: PlanUpdate): void {
    this.#update = update;
    this.#reader.event(event, isAnswer);
    this.#calls.event(event);
    this.#paper.refresh();
  }

  /** What may still change, in rows of so many columns. */
  rows(columns: number): string[] {
    const { tail } = this.#markdown;
    const { thinking } = this.#reader;
    const rows = [
      ...(tail ? markdownRows(tail, columns, this.#theme) : []),
      ...(thinking ? [this.#dim(thinkingText(thinking, columns))] : []),
      ...this.#calls.rows(columns, this.#paper.stream),
    ];
    const isApart = tail ? !tail.goesOn && this.#last !== undefined : this.#last === "text";
    return rows.length > 0 && isApart ? ["", ...rows] : rows;
  }

  #thought(text: string, seconds: number): void {
    this.#line(() => [this.#dim(seconds < 1 ? "thought briefly" : `thought for ${runningText(seconds)}`)]);
    if (!this.showsThinking) return;
    const lines = visible(text).split("\n");
    this.#line((columns) =>
      lines.flatMap((line) => wordWrapped(line, columns - 2)).map((line) => this.#dim(`  ${line}`.trimEnd())),
    );
  }

  #markdownParts(parts: readonly (MarkdownPart | undefined)[]): void {
    for (const part of parts) {
      if (!part) continue;
      const rows = (columns: number) => markdownRows(part, columns, this.#theme);
      if (part.goesOn) this.#paper.add(rows);
      else this.#text(rows);
    }
  }

  /** Adds a paragraph, after an empty line. */
  #text(block: Block): void {
    this.#last = "text";
    this.#paper.add((columns) => ["", ...block(columns)]);
  }

  /** Adds lines about what happens. Those of one kind stand together. */
  #line(block: Block): void {
    const isApart = this.#last === "text";
    this.#last = "line";
    this.#paper.add((columns) => [...(isApart ? [""] : []), ...block(columns)]);
  }

  #styled(style: Parameters<typeof styleText>[0], text: string): string {
    return styleText(style, text, { stream: this.#paper.stream });
  }

  #dim(text: string): string {
    return this.#styled("dim", text);
  }

  #bold(text: string): string {
    return this.#styled("bold", text);
  }
}

/** Lines that are shown of what a person said. */
const mostSaid = 15;

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

/** Some models end lines as Windows does; a piece may end between the two characters. */
function withoutReturns(text: string): string {
  return text.replace(/\r(?=\n|$)/g, "");
}

function attachedText(attachment: Attachment): string {
  const { name, mediaType, data } = attachment;
  const size = typeof data === "string" ? counted(attachmentBytes(attachment), "byte") : data.url;
  return `(attached: ${[...(name === undefined ? [] : [name]), mediaType, size].join(", ")})`;
}
