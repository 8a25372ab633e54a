import type { LogEvent } from "@cogency/protocol";
import type { PlayInput, PlayPrompt } from "../play/play-parts.ts";
import { openQuestions } from "../play/played-turn.ts";

/** A turn of a log: what began it, its events, and how it ended. */
export interface RecordedTurn {
  inputs: PlayInput[];
  /** The place of its first event in the log. */
  from: number;
  events: LogEvent[];
  end: TurnEnd | undefined;
}

export type TurnEnd =
  | { readonly status: "completed" | "stopped" | "failed"; readonly stop?: string; readonly error?: string }
  | { readonly status: "waiting" }
  /** The provider failed, with this code where the log says it. */
  | { readonly status: "broken"; readonly code?: string };

type RecordOf<Kind extends string> = Extract<LogEvent, { type: "record"; kind: Kind }>;

/** Cuts a log into its turns. A turn that a person's answer lets go on is another turn. The last one has no end if it broke off. */
export function turnsOf(log: readonly LogEvent[]): RecordedTurn[] {
  const cutter = new TurnCutter(log);
  for (const [index, event] of log.entries()) cutter.take(event, index);
  return cutter.turns;
}

class TurnCutter {
  readonly turns: RecordedTurn[] = [];
  readonly #log: readonly LogEvent[];

  constructor(log: readonly LogEvent[]) {
    this.#log = log;
  }

  get #turn(): RecordedTurn | undefined {
    return this.turns.at(-1);
  }

  take(event: LogEvent, index: number): void {
    if (event.type === "user") this.#user(event, index);
    else if (event.type === "cancelled") this.#cancelled(event, index);
    else if (event.type !== "record") this.#add(event, index);
    else if (event.kind === "message") this.#message(event, index);
    else if (event.kind === "run") this.#ran(event, index);
    else if (event.kind === "notice") this.#failed(event.data.code, event, index);
    else if (event.kind === "usage") this.#stepped(event, index);
    else if (!beginsNothing.has(event.kind)) this.#add(event, index);
    else if (this.#turn) {
      // It stands beside the words that began the turn, or after its end.
      this.#ofPrompt(event);
      if (!this.#turn.end) this.#add(event, index);
    }
  }

  #begin(inputs: PlayInput[], index: number): RecordedTurn {
    const turn: RecordedTurn = { inputs, from: index, events: [], end: undefined };
    this.turns.push(turn);
    return turn;
  }

  /** The turn to which an event belongs that no person has caused. */
  #add(event: LogEvent, index: number): void {
    const last = this.#turn;
    const turn = last && !last.end ? last : this.#begin([{ goOn: true }], index);
    turn.events.push(event);
  }

  #user(event: Extract<LogEvent, { type: "user" }>, index: number): void {
    const { origin, content: text, attachments } = event;
    const before = this.#log[index - 1];
    const kind = before?.type === "record" && before.kind === "message" ? before.data.kind : undefined;
    if (origin === "recovery") {
      const last = this.#turn;
      if (last && !last.end) last.end = { status: "broken" };
      this.#begin([{ goOn: true }], index).events.push(event);
    } else if (origin === undefined || origin === "untrusted") {
      if (kind === "steer") this.#add(event, index);
      else {
        const last = this.#turn;
        if (last && !last.end) last.end = endOfRefused(last.events);
        const prompt: PlayPrompt = { text, ...(attachments && { attachments }) };
        this.#begin([attachments ? prompt : text], index).events.push(event);
      }
    } else if (kind === "notice" && (!this.#turn || this.#turn.end)) {
      this.#begin([{ notice: text }], index).events.push(event);
    } else this.#add(event, index);
  }

  #message(event: RecordOf<"message">, index: number): void {
    const { kind, refused } = event.data;
    if (refused !== undefined || (kind !== "approve" && kind !== "deny" && kind !== "answer")) return;
    const settled = this.#log[index + 1];
    const input = settled && inputOf(settled, this.#log.slice(0, index));
    if (!input) return;
    const last = this.#turn;
    // Answers that were read together let the run go on once.
    const goesOn = last && !last.end && last.inputs.some(isAnswer) && last.events.every(isOfAnswer);
    if (goesOn) last.inputs.push(input);
    else {
      // Their calls begin before the answers are read.
      const began =
        last && !last.end && last.inputs.length === 1 && isGoOn(last.inputs[0]) && last.events.every(isOfAnswer);
      if (began) last.inputs = [input];
      else this.#begin([input], index);
    }
  }

  #cancelled(event: LogEvent, index: number): void {
    const last = this.#turn;
    const turn = last && !last.end ? last : this.#begin([{ cancel: true }], index);
    const isOnlyCancel = turn.inputs.length === 1 && isGoOn(turn.inputs[0]) && !turn.events.some(isOfModel);
    if (isOnlyCancel) turn.inputs = [{ cancel: true }];
    turn.events.push(event);
    turn.end = { status: "stopped", stop: "user_requested" };
  }

  #ran(event: RecordOf<"run">, index: number): void {
    this.#add(event, index);
    const { status, stop, error } = event.data;
    const turn = this.#turn as RecordedTurn;
    turn.end = { status, ...(stop && { stop: stop.reason }), ...(error && { error: error.code }) };
  }

  #failed(code: string, event: LogEvent, index: number): void {
    const last = this.#turn;
    if (!last || last.end) return;
    this.#add(event, index);
    last.end = { status: "broken", code };
  }

  #stepped(event: LogEvent, index: number): void {
    this.#add(event, index);
    const log = this.#log.slice(0, index);
    if (openQuestions(log).length > 0) (this.#turn as RecordedTurn).end = { status: "waiting" };
  }

  /** What a prompt brought beside its text, by the records that follow it. */
  #ofPrompt(event: LogEvent): void {
    if (event.type !== "record") return;
    if (event.kind === "client_tools") this.#changePrompt({ tools: event.data.tools });
    else if (event.kind === "object") this.#changePrompt({ object: event.data.schema });
    else if (event.kind === "content" && event.data.call === undefined && !this.#turn?.events.some(isOfModel)) {
      this.#changePrompt({ [event.data.holds]: event.data.source });
    }
  }

  #changePrompt(change: Partial<PlayPrompt>): void {
    const turn = this.#turn;
    const [input] = turn?.inputs ?? [];
    if (!turn || input === undefined || (typeof input !== "string" && !("text" in input))) return;
    turn.inputs = [{ ...(typeof input === "string" ? { text: input } : input), ...change }];
  }
}

/** Records that no run leaves by its work. */
const beginsNothing: ReadonlySet<string> = new Set([
  "client_tools",
  "object",
  "content",
  "origin",
  "fork",
  "parent",
  "point",
  "title",
  "trace",
]);

/** Answers of the model that could not be used, until the run gave up, leave no record of its end. */
export function endOfRefused(events: readonly LogEvent[]): TurnEnd | undefined {
  const last = events.findLast((event) => event.type !== "record" || event.kind !== "usage");
  const isRefused = last?.type === "record" && last.kind === "rejected";
  return isRefused ? { status: "failed", error: "no_progress" } : undefined;
}

/** What a person said, by the record that it led to. */
function inputOf(settled: LogEvent, log: readonly LogEvent[]): PlayInput | undefined {
  if (settled.type !== "record") return undefined;
  if (settled.kind === "answer") {
    const question = openQuestions(log).find(({ id }) => id === settled.data.question);
    return question && { answer: question.name, content: settled.data.content };
  }
  if (settled.kind !== "approval") return undefined;
  const question = openQuestions(log).find(({ id }) => id === settled.data.question);
  if (!question) return undefined;
  const { status, reason } = settled.data;
  const because = reason === undefined ? {} : { reason };
  return status === "denied" ? { deny: question.name, ...because } : { approve: question.name, ...because };
}

const isGoOn = (input: PlayInput | undefined) => typeof input === "object" && "goOn" in input;
const isAnswer = (input: PlayInput) =>
  typeof input === "object" && ("approve" in input || "deny" in input || "answer" in input);

/** What an answer leaves in the log before its call ends. */
function isOfAnswer(event: LogEvent): boolean {
  return event.type === "record" && ["approval", "answer", "question", "started"].includes(event.kind);
}

/** Whether the model has written it, or it is what came of that. */
function isOfModel(event: LogEvent): boolean {
  return event.type === "respond" || event.type === "think" || event.type === "call";
}
