import { planTool } from "@cogency/plan/log";
import type { RunEvent, ToolCall } from "@cogency/protocol";
import { tellingLines } from "@cogency/toolbox/shell";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { planCallText, presentedText, updateWords } from "../../person/plan/plan-texts.ts";
import type { PlanUpdate } from "../../person/plan/plan-tracker.ts";
import { pathText } from "../../person/show/agent-paths.ts";
import { callSummary } from "../../person/turn/call-summary.ts";
import { callText } from "../../person/turn/call-text.ts";
import { durationText } from "../../person/turn/duration-text.ts";
import { outputOf } from "../../person/turn/output-of.ts";
import { TurnReader } from "../../person/turn/turn-reader.ts";
import type { PlainOutput } from "./plain-output.ts";
import { PlainProgress } from "./plain-progress.ts";

/** Says what happens in the turns of a conversation: each event once, a text of the model by lines as it writes them. */
export class PlainTurns {
  /** Whether thoughts are said whole. */
  showsThinking = false;
  readonly #output: PlainOutput;
  readonly #reader: TurnReader;
  /** The line that the model is writing; undefined where it writes no text. */
  #line: { text: string; isFirst: boolean } | undefined;
  readonly #called = new Set<string>();
  /** What the event that is read makes of the plan. */
  #update: PlanUpdate | undefined;
  readonly #progress: PlainProgress;

  constructor(output: PlainOutput) {
    this.#output = output;
    this.#progress = new PlainProgress((call, text) => output.say("call", `${named(call)}: ${text}`));
    this.#reader = new TurnReader({
      text: (content) => this.#respond(content),
      textEnded: () => this.#endText(),
      thought: (text, seconds) => output.say("thinking", this.showsThinking ? text : `for ${durationText(seconds)}`),
      callStarted: (call, path) => this.#call(call, path),
      callEnded: (event, diffs, path) => this.#ended(event, diffs, path),
      remark: (text, kind) => output.say(kind, text),
    });
  }

  /**
   * @param isAnswer whether it is said already who settled a question, and how
   * @param update what the event makes of the plan
   */
  event(event: RunEvent, isAnswer = false, update?: PlanUpdate): void {
    this.#update = update;
    this.#reader.event(event, isAnswer);
    this.#progress.event(event);
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

  #call(call: ToolCall & { id: string }, path: readonly string[]): void {
    const key = JSON.stringify([...path, call.id]);
    if (this.#called.has(key)) return;
    this.#called.add(key);
    this.#output.say("call", named(call, path));
  }

  #ended(event: RunEvent & { type: "tool_ended" }, diffs: readonly string[], path: readonly string[]): void {
    const { name, outcome, result, started, duration } = event;
    this.#call(event, path);
    const isDone = outcome === "success";
    const summary = presentedText(result) ?? (name === planTool && isDone ? "" : callSummary(result));
    const took = started ? `, ${durationText(duration)}` : "";
    this.#output.say(
      "result",
      `${named(event, path)}: ${isDone ? "done" : "failed"}${summary === "" ? "" : `, ${oneLine(summary, 1000)}`}${took}`,
    );
    if (this.#update) this.#output.say("plan", updateWords(this.#update).join("\n"));
    for (const diff of diffs) this.#output.say("change", shortened(diff));
    const printed = outputOf(result);
    if (!name.startsWith("shell") || printed === "") return;
    this.#output.say("output", isDone ? shortened(printed) : telling(printed));
  }
}

/** `read notes.txt`, or `reviewer › read notes.txt` of an agent that a call has started */
function named(call: ToolCall, path: readonly string[] = []): string {
  return `${pathText(path, call.name)} ${oneLine(planCallText(call) ?? callText(call, 200), 200)}`.trimEnd();
}

/** The end of a text, where it is long. */
function shortened(text: string): string {
  const lines = text.trimEnd().split("\n");
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  const head = hidden > 0 ? [`(${counted(hidden, "line")} before; /show says all)`] : [];
  return [...head, ...lines.slice(hidden)].join("\n");
}

/** The lines of a failed command that tell most. */
function telling(text: string): string {
  const lines = tellingLines(text.trimEnd(), most);
  return lines
    .map((line) => (typeof line === "string" ? line : `(${counted(line, "line")} left out; /show says all)`))
    .join("\n");
}

const most = 20;
