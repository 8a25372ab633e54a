import type { RunEvent, ToolCall } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import { callText } from "../chat/turn/call-text.ts";
import { durationText, secondsSince } from "../chat/turn/duration-text.ts";
import { outputOf } from "../chat/turn/output-of.ts";
import { redacted } from "../errors/redacted.ts";
import { diffOf } from "../show/diff-lines.ts";
import { counted, oneLine, revealed } from "../terminal/text.ts";
import type { PlainOutput } from "./plain-output.ts";

/** Says what happens in the turns of a conversation: each event once, a text of the model by lines as it writes them. */
export class PlainTurns {
  /** Whether thoughts are said whole. */
  showsThinking = false;
  readonly #output: PlainOutput;
  /** The line that the model is writing; undefined where it writes no text. */
  #line: { text: string; unit: number | undefined; isFirst: boolean } | undefined;
  #thinking: { text: string; startedAt: number; unit: number | undefined } | undefined;
  readonly #called = new Set<string>();
  readonly #changes = new Map<string, string[]>();

  constructor(output: PlainOutput) {
    this.#output = output;
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case "respond":
        this.#endThinking();
        this.#respond(event.content, event.unit);
        break;
      case "think":
        this.#endText();
        if (event.unit === undefined || event.unit !== this.#thinking?.unit) this.#endThinking();
        this.#thinking ??= { text: "", startedAt: performance.now(), unit: event.unit };
        this.#thinking.text += event.content;
        break;
      case "tool_started":
        this.#settle();
        this.#call(event);
        break;
      case "tool_progress": {
        const change = diffOf(event.update);
        if (change !== undefined) this.#changes.set(event.id, [...(this.#changes.get(event.id) ?? []), change]);
        break;
      }
      case "tool_ended":
        this.#settle();
        this.#ended(event);
        break;
      case "request_retried":
        this.#settle();
        this.#output.say("warning", `${redacted(event.message)} Asking again in ${durationText(event.delay / 1000)}.`);
        break;
      case "error":
        this.#settle();
        this.#output.say("warning", redacted(event.content));
        break;
      case "extraction_failed":
      case "validation_failed":
        this.#settle();
        this.#output.say("warning", redacted(event.message));
        break;
      case "compacted":
        this.#output.say(
          "note",
          `The earlier part of the conversation is summed up: ${event.before} tokens became ${event.after}.`,
        );
        break;
      case "call_delta":
      case "execute":
      case "step_ended":
      case "end":
      case "cancelled":
      case "interrupt":
        this.#settle();
        break;
      case "run_ended":
        this.#settle();
        this.#called.clear();
        this.#changes.clear();
        break;
    }
  }

  /** Says what was not said of a text yet. */
  #settle(): void {
    this.#endText();
    this.#endThinking();
  }

  #respond(content: string, unit: number | undefined): void {
    if (unit === undefined || unit !== this.#line?.unit) this.#endText();
    this.#line ??= { text: "", unit, isFirst: true };
    const lines = (this.#line.text + content).split("\n");
    this.#line.text = lines.pop() ?? "";
    for (const line of lines) this.#sayLine(line);
    if (unit === undefined) this.#endText();
  }

  #sayLine(line: string): void {
    // Empty lines separate paragraphs for the eye only.
    if (!this.#line || line.trim() === "") return;
    if (this.#line.isFirst) this.#output.say("agent", line);
    else this.#output.goOn(line);
    this.#line.isFirst = false;
  }

  #endText(): void {
    if (this.#line) this.#sayLine(this.#line.text);
    this.#line = undefined;
  }

  #endThinking(): void {
    if (!this.#thinking) return;
    const { text, startedAt } = this.#thinking;
    this.#thinking = undefined;
    if (text.trim() === "") return;
    this.#output.say("thinking", this.showsThinking ? text.trim() : `for ${durationText(secondsSince(startedAt))}`);
  }

  #call(call: ToolCall & { id: string }): void {
    if (this.#called.has(call.id)) return;
    this.#called.add(call.id);
    this.#output.say("call", named(call));
  }

  #ended(event: RunEvent & { type: "tool_ended" }): void {
    const { id, name, outcome, result, started, duration } = event;
    this.#call(event);
    const isDone = outcome === "success";
    const summary = revealed(isDone ? summarizeResult(result) : summarizeFailure(result)).replace(/\s+/g, " ");
    const took = started ? `, ${durationText(duration)}` : "";
    this.#output.say(
      "result",
      `${named(event)}: ${isDone ? "done" : "failed"}${summary === "" ? "" : `, ${oneLine(summary, 1000)}`}${took}`,
    );
    for (const change of this.#changes.get(id) ?? []) this.#output.say("change", shortened(change));
    this.#changes.delete(id);
    const printed = outputOf(result);
    if (name === "shell" && printed !== "") this.#output.say("output", shortened(printed));
  }
}

/** `read notes.txt` */
function named(call: ToolCall): string {
  return `${oneLine(call.name, 64)} ${callText(call, 200)}`.trimEnd();
}

/** The end of a text, where it is long. */
function shortened(text: string): string {
  const lines = text.trimEnd().split("\n");
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  const head = hidden > 0 ? [`(${counted(hidden, "line")} before; /show says all)`] : [];
  return [...head, ...lines.slice(hidden)].join("\n");
}

const most = 20;
