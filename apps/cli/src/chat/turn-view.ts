import { stripVTControlCharacters, styleText } from "node:util";
import type { Json, RunEvent, ToolCall, ToolResult } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { redacted } from "../errors/redacted.ts";
import { markdownRows, markdownTheme } from "../screen/markdown-rows.ts";
import { MarkdownStream } from "../screen/markdown-stream.ts";
import type { Block } from "../screen/screen.ts";
import { diffLines, diffOf } from "../show/diff-lines.ts";
import { textOf } from "../show/transcript.ts";
import { excerpt, oneLine, revealed, visible, wordWrapped } from "../terminal/text.ts";

/** Where a turn is shown. */
export interface Page {
  /** Adds lines for good. */
  add(block: Block): void;
  /** Shows anew what may still change. */
  refresh(): void;
  readonly stream: NodeJS.WriteStream;
}

interface OpenCall {
  call: ToolCall;
  startedAt: number;
  progress: string;
}

/**
 * Shows the turns of a conversation: what has settled goes to the page for good, and what may still change stands in `rows`. A call
 * is one line with its outcome; its whole output can be shown later.
 */
export class TurnView {
  readonly #page: Page;
  readonly #theme: MarkdownTheme;
  readonly #markdown = new MarkdownStream();
  #unit: number | undefined;
  #thinking: { text: string; startedAt: number; unit: number | undefined } | undefined;
  readonly #writing = new Map<string, { name: string; text: string }>();
  readonly #open = new Map<string, OpenCall>();
  readonly #diffs = new Map<string, string[]>();
  #last: "text" | "line" | undefined;
  /** The last results, whose output can be shown in full. */
  readonly results: ToolResult[] = [];
  /** The last thoughts. */
  thoughts = "";

  constructor(page: Page) {
    this.#page = page;
    this.#theme = markdownTheme(page.stream);
  }

  /** Shows what the person said. */
  said(text: string): void {
    const lines = visible(text).split("\n");
    this.#text((columns) =>
      lines
        .flatMap((line) => wordWrapped(line, columns - 2))
        .map((line, at) => this.#bold(`${at === 0 ? ">" : " "} ${line}`)),
    );
  }

  /** Shows a remark of the app. */
  remark(text: string, style: "dim" | "yellow" | "red" = "dim"): void {
    const lines = visible(text).split("\n");
    this.#line((columns) =>
      lines.flatMap((line) => wordWrapped(line, columns)).map((line) => this.#styled(style, line)),
    );
  }

  /** Shows lines as they are, without change. */
  lines(block: Block): void {
    this.#text(block);
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case "respond":
        this.#endThinking();
        if (event.unit === undefined || event.unit !== this.#unit) this.#endText();
        this.#unit = event.unit;
        for (const block of this.#markdown.push(visible(event.content))) this.#markdownBlock(block);
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
        const key = String(event.index ?? event.id);
        const call = this.#writing.get(key) ?? { name: "", text: "" };
        this.#writing.set(key, { name: event.name ?? call.name, text: call.text + event.content });
        break;
      }
      case "call":
      case "execute":
        this.#settleText();
        this.#writing.clear();
        break;
      case "tool_started":
        this.#settleText();
        this.#open.set(event.id, { call: event, startedAt: performance.now(), progress: "" });
        break;
      case "tool_progress": {
        const diff = diffOf(event.update);
        if (diff !== undefined) this.#diffs.set(event.id, [...(this.#diffs.get(event.id) ?? []), diff]);
        const call = this.#open.get(event.id);
        if (call) call.progress = progressAfter(event.update, call.progress);
        break;
      }
      case "tool_ended":
        this.#ended(event);
        break;
      case "error":
        this.#settleText();
        this.remark(`! ${redacted(event.content)}`, "yellow");
        break;
      case "extraction_failed":
      case "validation_failed":
        this.remark(`! ${redacted(event.message)}`, "yellow");
        break;
      case "compacted":
        this.remark(`The earlier part of the conversation is summed up: ${event.before} tokens became ${event.after}.`);
        break;
      case "step_ended":
      case "end":
        this.#settleText();
        break;
      case "run_ended":
        this.#settleText();
        this.#writing.clear();
        this.#open.clear();
        break;
      default:
        return;
    }
    this.#page.refresh();
  }

  /** What may still change, in rows of so many columns. */
  rows(columns: number): string[] {
    const rows: string[] = [];
    const tail = this.#markdown.tail;
    if (tail.trim() !== "")
      rows.push(...(this.#last === undefined ? [] : [""]), ...markdownRows(tail, columns, this.#theme));
    if (this.#thinking) {
      const { text, startedAt } = this.#thinking;
      rows.push(this.#dim(oneLine(`thinking ${secondsSince(startedAt)}  ${text.slice(-columns * 2)}`, columns)));
    }
    for (const { name, text } of this.#writing.values())
      rows.push(
        `${this.#styled("cyan", "→")} ${this.#bold(oneLine(name, 64))} ${oneLine(revealed(text.slice(-columns)), columns - name.length - 4)}`,
      );
    for (const { call, startedAt, progress } of this.#open.values()) {
      rows.push(this.#callText("⋯", "cyan", call, secondsSince(startedAt), columns));
      const line = progress.split(/[\r\n]+/).findLast((text) => text.trim() !== "");
      if (line !== undefined) rows.push(this.#dim(oneLine(`    ${stripVTControlCharacters(line)}`, columns)));
    }
    return rows;
  }

  #ended({ id, name, args, started, result, duration, outcome }: RunEvent & { type: "tool_ended" }): void {
    this.#settleText();
    const call = this.#open.get(id)?.call ?? { name, args };
    this.#open.delete(id);
    const diffs = this.#diffs.get(id) ?? [];
    this.#diffs.delete(id);
    this.results.push(result);
    if (this.results.length > 50) this.results.shift();
    const isDone = outcome === "success";
    const took = started ? `, ${duration.toFixed(1)} s` : "";
    const output = outputOf(result);
    this.#line((columns) => [
      this.#callText(isDone ? "✓" : "✗", isDone ? "green" : "red", call, "", columns),
      ...(isDone
        ? [this.#dim(`    ${oneLine(revealed(summarizeResult(result)), columns - 16)}${took}`)]
        : wordWrapped(oneLine(`${revealed(summarizeFailure(result))}${took}`, 1000), columns - 4).map(
            (line) => `    ${line}`,
          )),
      ...diffLines(diffs, this.#page.stream),
      ...(name === "shell" && output !== ""
        ? excerpt(output, 6, columns - 5).map((line) => this.#dim(`    ${line}`))
        : []),
    ]);
  }

  #callText(
    sign: string,
    style: "cyan" | "green" | "red",
    { name, args }: ToolCall,
    after: string,
    columns: number,
  ): string {
    const shown = oneLine(name, 64);
    const room = Math.max(8, columns - shown.length - 4 - after.length - (after ? 2 : 0));
    const text = oneLine(revealed(JSON.stringify(args)), room);
    return `${this.#styled(style, sign)} ${this.#bold(shown)} ${text}${after ? `  ${this.#dim(after)}` : ""}`;
  }

  #settleText(): void {
    this.#endText();
    this.#endThinking();
  }

  #endText(): void {
    const rest = this.#markdown.end();
    if (rest !== undefined) this.#markdownBlock(rest);
    this.#unit = undefined;
  }

  #endThinking(): void {
    if (!this.#thinking) return;
    const { text, startedAt } = this.#thinking;
    this.#thinking = undefined;
    this.thoughts = text;
    if (text.trim() !== "") this.#line(() => [this.#dim(`thought for ${secondsSince(startedAt)}`)]);
  }

  #markdownBlock(source: string): void {
    this.#text((columns) => markdownRows(source, columns, this.#theme));
  }

  /** Adds a paragraph, after an empty line. */
  #text(block: Block): void {
    const isFirst = this.#last === undefined;
    this.#last = "text";
    this.#page.add((columns) => [...(isFirst ? [] : [""]), ...block(columns)]);
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

/** The output of a call as a person reads it. */
export function outputOf({ content }: ToolResult): string {
  return textOf(content).trimEnd();
}

function secondsSince(startedAt: number): string {
  return `${Math.floor((performance.now() - startedAt) / 1000)} s`;
}

function progressAfter(update: Json, before: string): string {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return before;
  const { text, url, query } = update;
  if (typeof text === "string") return (before + text).slice(-4096);
  return [url, query].find((value) => typeof value === "string") ?? before;
}
