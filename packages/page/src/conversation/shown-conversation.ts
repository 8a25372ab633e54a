import type { LogEvent, Measure, RecordEvent } from "@cogency/protocol";
import { type Point, pointIn } from "@cogency/protocol/host";
import {
  emptyView,
  type Part,
  type Parts,
  type Piece,
  type View,
  withEvent,
  withPieces,
} from "@cogency/protocol/parts";
import type { PageEvent } from "../page-source.ts";
import { CallProgress } from "./call-progress.ts";
import {
  type Block,
  type Caller,
  type CallTimes,
  type Entry,
  fieldsOf,
  type Mark,
  type RequestData,
  type Step,
} from "./step.ts";

/**
 * Reads a log, event by event, into what a page shows of it: entries, and the steps that they belong to. Blocks, steps and
 * entries are replaced when they change, so that a page draws only what is new. What a run is writing stands beside them. No event and
 * no piece makes it throw.
 */
export class ShownConversation {
  readonly events: PageEvent[] = [];
  readonly blocks: Block[] = [];
  readonly callTimes = new Map<string, CallTimes>();
  /** The ids of the messages that were taken from the inbox. */
  readonly takenMessages = new Set<string>();
  /** What a person named it; empty if it has no name. */
  title = "";
  /** The points that a person named, by their names. */
  readonly points = new Map<string, Point>();
  /** Of the conversation of an agent that another one has started. */
  caller: Caller | undefined;
  #view: View = emptyView;
  readonly #progress = new CallProgress();
  readonly #places = new Map<Part, Place>();
  /** The block of the step that is going on. */
  #open: number | undefined;
  #run = 0;
  #stepCount = 0;
  #model: string | undefined;

  /** Reads the next event. An event that is here already is ignored. */
  write(event: PageEvent): void {
    if (event.seq <= (this.events.at(-1)?.seq ?? 0)) return;
    this.events.push(event);
    if (event.type === "record") this.#readRecord(event);
    else this.#readWritten(event);
    const before = this.#view.stored;
    this.#view = withEvent(this.#view, event);
    if (this.#view.stored !== before) this.#place(before, event);
    const isOver = event.type === "cancelled" || (event.type === "record" && event.kind === "run");
    if (isOver) this.#endRun();
    if (isOver || (event.type === "record" && event.kind === "usage")) this.#open = undefined;
  }

  /** Reads pieces of what a run is writing, in the order in which they came. They change no entry. */
  writePieces(pieces: readonly Piece[]): void {
    const before = this.#view.stored;
    this.#view = withPieces(this.#view, pieces);
    this.#keepPlaces(before);
    this.#progress.read(pieces, this.parts);
  }

  /** The parts of the log. */
  get parts(): Parts {
    return this.#view.stored;
  }

  /** What a run is writing behind them: a text or a thought, and calls. Each is replaced when it grows. */
  get open(): Parts {
    const { unit, calls } = this.#view.open;
    return [...(unit ? [unit.part] : []), ...calls.map(({ part }) => part)];
  }

  /** The last line that a call which runs has printed, or what it asks for; empty if it has told nothing. */
  progressOf(call: string): string {
    return this.#progress.lineOf(call);
  }

  /** Whether the next words begin a turn: no run goes on, and none is broken off. */
  get isIdle(): boolean {
    const last = this.parts.at(-1);
    return last === undefined || last.type === "end";
  }

  steps(): Step[] {
    return this.blocks.flatMap((block) => (block.type === "step" ? block.step : []));
  }

  /** All entries in order, also those of steps. */
  entries(): Entry[] {
    return this.blocks.flatMap((block) => (block.type === "step" ? block.step.entries : block.entry));
  }

  #endRun(): void {
    this.#run++;
    this.#progress.clear();
  }

  #readWritten({ type, timestamp, seq }: PageEvent): void {
    if (type === "user") {
      // Words between two steps belong to neither.
      this.#open = undefined;
      return;
    }
    if (type !== "think" && type !== "respond" && type !== "call") return;
    if (this.#open === undefined) this.#addStep(seq, timestamp);
    this.#changeStep(({ first = timestamp }) => ({ first, lastWritten: timestamp }));
  }

  #readRecord(event: RecordEvent & { seq: number }): void {
    const { kind, timestamp, seq } = event;
    const data = fieldsOf(event.data);
    const { id } = data;
    switch (kind) {
      case "request":
        this.#readRequest(data as unknown as RequestData, seq, timestamp);
        break;
      case "usage":
        this.#readUsage(data as unknown as Measure, seq, timestamp);
        break;
      case "rejected": {
        const { text } = data;
        if (this.#open === undefined) this.#addStep(seq, timestamp);
        this.#changeStep(({ first = timestamp }) => ({ first, ...(typeof text === "string" && { refused: text }) }));
        break;
      }
      case "native":
        this.#changeStep(() => ({ native: { provider: String(data.provider), data: data.data } }));
        break;
      case "started":
        if (typeof id === "string") this.callTimes.set(id, { begun: timestamp });
        break;
      case "finished":
        if (typeof id !== "string") break;
        this.callTimes.set(id, { ...this.callTimes.get(id), ended: timestamp });
        this.#progress.end(id);
        break;
      case "message":
        if (typeof id === "string") this.takenMessages.add(id);
        if (typeof data.refused === "string")
          this.#addMark({ type: "message", kind: String(data.kind), refused: data.refused }, event);
        break;
      case "content":
        this.#addMark({ type: "content", holds: String(data.holds), source: String(data.source) }, event);
        break;
      case "tools_found":
        if (Array.isArray(data.names)) this.#addMark({ type: "tools", names: data.names.map(String) }, event);
        break;
      case "child":
        this.#readChild(data);
        break;
      case "parent":
        if (typeof data.conversation === "string" && Array.isArray(data.agents))
          this.caller = { conversation: data.conversation, agents: data.agents.map(String) };
        break;
      case "title":
        if (typeof data.text === "string" && data.text.trim() !== "") this.title = data.text;
        break;
      case "point":
        this.#readPoint(event);
        break;
      case "summary":
        if (typeof data.upTo === "number")
          this.#addMark({ type: "summary", upTo: data.upTo, text: String(data.text ?? "") }, event);
        break;
    }
  }

  #readPoint(event: PageEvent): void {
    const point = pointIn(event as LogEvent, event.seq - 1);
    if (!point) return;
    this.points.delete(point.name);
    if (point.at > 0) this.points.set(point.name, point);
  }

  #readRequest(data: RequestData, seq: number, timestamp: number): void {
    const { provider, model, driver } = data;
    const now = [provider, model, driver].map(String).join(" · ");
    if (this.#model !== undefined && this.#model !== now)
      this.#add({ seq, time: timestamp, shown: { type: "model", from: this.#model, to: now }, questions: [] });
    this.#model = now;
    const step = this.#openStep();
    // A driver may ask again in one step.
    if (!step || step.usage) this.#addStep(seq, timestamp);
    this.#changeStep(() => ({ request: { seq, data } }));
  }

  #readUsage(usage: Measure, seq: number, timestamp: number): void {
    if (this.#open === undefined) this.#addStep(seq, timestamp);
    this.#changeStep(({ request, begun }) => {
      const seconds = typeof usage.duration === "number" ? usage.duration : 0;
      return { usage, ended: timestamp, begun: request ? begun : Math.min(begun, timestamp - seconds) };
    });
  }

  #readChild({ call, agent, conversation, background, used }: Readonly<Record<string, unknown>>): void {
    const place = typeof call === "string" ? this.#placeOfCall(call) : undefined;
    if (!place || typeof conversation !== "string") return;
    const { tokens, toolCalls } = fieldsOf(used);
    const isCounted = typeof tokens === "number" && typeof toolCalls === "number";
    this.#replace(place, (entry) => ({
      agent: {
        ...entry.agent,
        name: String(agent),
        conversation,
        isInBackground: background === true,
        ...(isCounted && { used: { tokens, toolCalls } }),
      },
    }));
  }

  #addMark(shown: Mark, { seq, timestamp }: RecordEvent & { seq: number }): void {
    this.#add({ seq, time: timestamp, shown, questions: [] });
  }

  #addStep(seq: number, begun: number): void {
    this.#open = this.blocks.length;
    const step: Step = { number: ++this.#stepCount, seq, run: this.#run, entries: [], begun };
    this.blocks.push({ type: "step", step });
  }

  #openStep(at = this.#open): Step | undefined {
    const block = at === undefined ? undefined : this.blocks[at];
    return block?.type === "step" ? block.step : undefined;
  }

  #changeStep(change: (step: Step) => Partial<Step>, at = this.#open): void {
    const step = this.#openStep(at);
    if (step && at !== undefined) this.blocks[at] = { type: "step", step: { ...step, ...change(step) } };
  }

  /** Adds an entry to the step that is going on, else after everything. Returns where it stands. */
  #add(entry: Entry): Place {
    const step = this.#openStep();
    if (!step || this.#open === undefined) {
      this.blocks.push({ type: "entry", entry });
      return { block: this.blocks.length - 1 };
    }
    this.#changeStep(({ entries }) => ({ entries: [...entries, entry] }));
    return { block: this.#open, index: step.entries.length };
  }

  #entryAt({ block, index }: Place): Entry | undefined {
    const found = this.blocks[block];
    return found?.type === "step" ? found.step.entries[index ?? 0] : found?.entry;
  }

  #replace(place: Place, change: (entry: Entry) => Partial<Entry>): void {
    const entry = this.#entryAt(place);
    if (!entry) return;
    const changed = { ...entry, ...change(entry) };
    if (place.index === undefined) this.blocks[place.block] = { type: "entry", entry: changed };
    else this.#changeStep(({ entries }) => ({ entries: entries.with(place.index ?? 0, changed) }), place.block);
  }

  /** Finds which parts an event has brought or replaced: those between what both lists share. */
  #place(before: Parts, { seq, timestamp }: PageEvent): void {
    const { parts } = this;
    let from = 0;
    while (from < before.length && before[from] === parts[from]) from++;
    const gone = before.slice(from);
    const kept = new Set<Part>(parts.slice(from));
    const free = gone.filter((part) => !kept.has(part));
    for (const part of parts.slice(from)) {
      if (this.#places.has(part)) continue;
      const old = takeLike(part, free);
      const place = old && this.#places.get(old);
      if (old) this.#places.delete(old);
      this.#show(part, place, { seq, time: timestamp });
    }
  }

  #show(part: Part, place: Place | undefined, at: { seq: number; time: number }): void {
    if (part.type !== "question") {
      if (place) this.#replace(place, () => ({ shown: part }));
      this.#places.set(part, place ?? this.#add({ ...at, shown: part, questions: [] }));
      return;
    }
    const call = place ?? this.#placeOfCall(part.call);
    if (!call) {
      this.#places.set(part, this.#add({ ...at, shown: part, questions: [] }));
      return;
    }
    this.#places.set(part, call);
    this.#replace(call, ({ shown, questions }) => {
      if (shown.type === "question") return { shown: part };
      const known = questions.findIndex(({ id }) => id === part.id);
      return { questions: known === -1 ? [...questions, part] : questions.with(known, part) };
    });
  }

  /** Progress replaces the parts of calls, each at its place. The entries stay as they are: what they show does not change. */
  #keepPlaces(before: Parts): void {
    const { parts } = this;
    if (parts === before) return;
    for (const [at, part] of parts.entries()) {
      const old = before[at];
      const place = old && old !== part && this.#places.get(old);
      if (!place) continue;
      this.#places.delete(old);
      this.#places.set(part, place);
    }
  }

  #placeOfCall(id: string): Place | undefined {
    const call = this.parts.findLast((part) => part.type === "call" && part.id === id);
    return call && this.#places.get(call);
  }
}

/** Where an entry stands; `index` is its place in the step. */
interface Place {
  readonly block: number;
  readonly index?: number;
}

/** Removes and returns the part that the given one has replaced. */
function takeLike(part: Part, free: Part[]): Part | undefined {
  const idOf = (one: Part) => (one.type === "call" || one.type === "question" ? one.id : undefined);
  const at = free.findIndex((old) => old.type === part.type && idOf(old) === idOf(part));
  return at === -1 ? undefined : free.splice(at, 1)[0];
}
