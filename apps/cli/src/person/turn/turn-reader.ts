import type { RunEvent, ToolCall } from "@cogency/protocol";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { AgentPaths, type PlacedEvent } from "../show/agent-paths.ts";
import { diffOf } from "../show/diff-lines.ts";
import { summedUp } from "../show/summed-up.ts";
import { secondsSince } from "./duration-text.ts";
import type { RemarkKind } from "./remark.ts";

/** What the model has thought since it began. */
export interface Thinking {
  readonly text: string;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
}

/** What happens in a turn, in its order. */
export interface TurnListener {
  /** A piece of a text of the model. */
  text(content: string): void;
  /** The text of the pieces so far is complete, if there were any. */
  textEnded(): void;
  thought(text: string, seconds: number): void;
  /** `path`: the names of the agents in which the call is; empty for the agent that the person speaks to. */
  callStarted(call: ToolCall & { id: string }, path: readonly string[]): void;
  /** `diffs`: what it changed in files. */
  callEnded(event: RunEvent & { type: "tool_ended" }, diffs: readonly string[], path: readonly string[]): void;
  remark(text: string, kind: RemarkKind): void;
}

/** Reads the events of runs for those who show them: joins the pieces of texts and thoughts, and calls with what they changed. */
export class TurnReader {
  readonly #listener: TurnListener;
  /** The unit of the text that is being written. */
  #textUnit: number | undefined;
  #thinking: { text: string; startedAt: number; unit: number | undefined } | undefined;
  readonly #paths = new AgentPaths();
  readonly #diffs = new Map<string, string[]>();
  /** The calls of which the answer to a question has said that they are denied. */
  readonly #denied = new Set<string>();

  /** What was said of settings that the model does not take. */
  readonly #ignored = new Set<string>();

  constructor(listener: TurnListener) {
    this.#listener = listener;
  }

  /** What the model is thinking. */
  get thinking(): Thinking | undefined {
    return this.#thinking;
  }

  /** @param isAnswer whether it is said already who settled a question, and how */
  event(of: RunEvent, isAnswer = false): void {
    const placed = this.#paths.read(of);
    const { event, path } = placed;
    if (isAnswer && event.type === "approval_settled" && event.decision === "denied")
      this.#denied.add(placed.place + event.id);
    this.#call(placed);
    // What an agent writes and thinks, its caller reads, not the person.
    if (path.length > 0) return;
    switch (event.type) {
      case "respond":
        this.#respond(event.content, event.unit);
        break;
      case "think":
        this.#think(event.content, event.unit);
        break;
      case "error":
        this.#warn(event.content);
        break;
      case "extraction_failed":
      case "validation_failed":
        this.#warn(event.message);
        break;
      case "setting_ignored":
        if (!this.#ignored.has(event.message)) this.#listener.remark(event.message, "note");
        this.#ignored.add(event.message);
        break;
      case "compacted":
        this.#listener.remark(`${summedUp(event)} /compact undo takes it back.`, "note");
        break;
      case "call_delta":
      case "execute":
      case "step_ended":
      case "end":
      case "cancelled":
      case "interrupt":
        this.settle();
        break;
      case "run_ended":
        this.settle();
        this.#diffs.clear();
        this.#denied.clear();
        break;
    }
  }

  /** Ends the text, or the thoughts, that are being written. */
  settle(): void {
    this.#endText();
    this.#endThinking();
  }

  /** Forgets the text, or the thoughts, that are being written. Returns whether it was a text. */
  breakOff(): boolean {
    const isText = this.#textUnit !== undefined;
    this.#textUnit = this.#thinking = undefined;
    return isText;
  }

  #call({ event, path, place }: PlacedEvent): void {
    switch (event.type) {
      case "tool_started":
        if (path.length === 0) this.settle();
        this.#listener.callStarted(event, path);
        break;
      case "tool_progress": {
        const diff = diffOf(event.update);
        const key = place + event.id;
        if (diff !== undefined) this.#diffs.set(key, [...(this.#diffs.get(key) ?? []), diff]);
        break;
      }
      case "tool_ended": {
        if (path.length === 0) this.settle();
        const key = place + event.id;
        if (event.started || !this.#denied.delete(key))
          this.#listener.callEnded(event, this.#diffs.get(key) ?? [], path);
        this.#diffs.delete(key);
        break;
      }
    }
  }

  /** A text without a unit is whole. */
  #respond(content: string, unit: number | undefined): void {
    this.#endThinking();
    if (unit === undefined || unit !== this.#textUnit) this.#endText();
    this.#textUnit = unit;
    this.#listener.text(content);
    if (unit === undefined) this.#endText();
  }

  #think(content: string, unit: number | undefined): void {
    this.#endText();
    if (unit === undefined || unit !== this.#thinking?.unit) this.#endThinking();
    this.#thinking ??= { text: "", startedAt: performance.now(), unit };
    this.#thinking.text += content;
  }

  #endText(): void {
    this.#textUnit = undefined;
    this.#listener.textEnded();
  }

  #endThinking(): void {
    if (!this.#thinking) return;
    const { text, startedAt } = this.#thinking;
    this.#thinking = undefined;
    if (text.trim() !== "") this.#listener.thought(text.trim(), secondsSince(startedAt));
  }

  #warn(message: string): void {
    this.settle();
    this.#listener.remark(redacted(inPlainWords(message)), "warning");
  }
}
