import type { RunEvent, ToolCall } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import { counted, oneLine, revealed } from "../../base/terminal/text.ts";
import { callText } from "../turn/call-text.ts";
import { durationText } from "../turn/duration-text.ts";
import { outputOf } from "../turn/output-of.ts";
import { TurnReader } from "../turn/turn-reader.ts";
import type { PlainOutput } from "./plain-output.ts";

/** Says what happens in the turns of a conversation: each event once, a text of the model by lines as it writes them. */
export class PlainTurns {
  /** Whether thoughts are said whole. */
  showsThinking = false;
  readonly #output: PlainOutput;
  readonly #reader: TurnReader;
  /** The line that the model is writing; undefined where it writes no text. */
  #line: { text: string; isFirst: boolean } | undefined;
  readonly #called = new Set<string>();

  constructor(output: PlainOutput) {
    this.#output = output;
    this.#reader = new TurnReader({
      text: (content) => this.#respond(content),
      textEnded: () => this.#endText(),
      thought: (text, seconds) => output.say("thinking", this.showsThinking ? text : `for ${durationText(seconds)}`),
      callStarted: (call) => this.#call(call),
      callEnded: (event, diffs) => this.#ended(event, diffs),
      remark: (text, kind) => output.say(kind, text),
    });
  }

  event(event: RunEvent): void {
    this.#reader.event(event);
    if (event.type === "run_ended") this.#called.clear();
  }

  #respond(content: string): void {
    this.#line ??= { text: "", isFirst: true };
    const lines = (this.#line.text + content).split("\n");
    this.#line.text = lines.pop() ?? "";
    for (const line of lines) this.#sayLine(line);
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

  #call(call: ToolCall & { id: string }): void {
    if (this.#called.has(call.id)) return;
    this.#called.add(call.id);
    this.#output.say("call", named(call));
  }

  #ended(event: RunEvent & { type: "tool_ended" }, diffs: readonly string[]): void {
    const { name, outcome, result, started, duration } = event;
    this.#call(event);
    const isDone = outcome === "success";
    const summary = revealed(isDone ? summarizeResult(result) : summarizeFailure(result)).replace(/\s+/g, " ");
    const took = started ? `, ${durationText(duration)}` : "";
    this.#output.say(
      "result",
      `${named(event)}: ${isDone ? "done" : "failed"}${summary === "" ? "" : `, ${oneLine(summary, 1000)}`}${took}`,
    );
    for (const diff of diffs) this.#output.say("change", shortened(diff));
    const printed = outputOf(result);
    if (name.startsWith("shell") && printed !== "") this.#output.say("output", shortened(printed));
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
