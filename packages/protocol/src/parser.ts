import { CodeTracker, isSpace } from "./code-tracker.ts";
import type {
  CallEvent,
  EndEvent,
  ErrorEvent,
  ExecuteEvent,
  ParseErrorCode,
  RespondEvent,
  ResultEvent,
  ThinkEvent,
} from "./events.ts";
import { ExecuteBlock } from "./execute-block.ts";
import { END, EXECUTE, RESULTS, THINK, THINK_CLOSE } from "./markers.ts";
import { ResultsBlock } from "./results-block.ts";
import { UnitWriter } from "./unit-writer.ts";
import type { FinishReason } from "./usage.ts";

/** What a parser emits. */
export type ParserEvent = ThinkEvent | RespondEvent | CallEvent | ExecuteEvent | ResultEvent | EndEvent | ErrorEvent;

export interface ParserOptions {
  /** How calls are written; `"json"` by default. */
  dialect?: "json" | undefined;
  /**
   * `"forbid"`, the default: a results block in model output is `forged_results` (protocol.md P8).
   * `"allow"`: for transcripts that the system itself has written.
   */
  results?: "forbid" | "allow" | undefined;
  /** `"think"` for chat templates that open the think block themselves; `"text"` by default. */
  startIn?: "text" | "think" | undefined;
  /** Unix time in seconds; the system's clock by default. Read at most once a call. */
  clock?: (() => number) | undefined;
}

/**
 * Reads one generation as it arrives. Emits the token view: pieces of text and thinking as they come, numbered by
 * unit, and each call as its object closes. {@link settle} turns it into the event view.
 */
export interface Parser {
  /** Read the next piece of the generation, cut anywhere. Never throws (protocol.md P4). */
  write(chunk: string): ParserEvent[];
  /** The generation is over. `finish` tells how it ended, `"stop"` by default (protocol.md P14). */
  end(finish?: FinishReason): ParserEvent[];
  /** After `</execute>`, `<end>`, an error or `end()`: nothing more is read (protocol.md P5). */
  readonly done: boolean;
  /** UTF-16 units that came after the parser was done. */
  readonly ignored: number;
}

/** Make a parser for one generation (protocol.md §2). */
export function createParser(options: ParserOptions = {}): Parser {
  return new StreamingParser(options);
}

type Mode = "text" | "think" | "leadingThink" | "marker" | "execute" | "results";

class StreamingParser implements Parser {
  done = false;
  ignored = 0;

  readonly #allowResults: boolean;
  readonly #clock: () => number;
  #mode: Mode;
  #events: ParserEvent[] = [];
  #now: number | undefined;
  /** Text that is kept for the next write: a beginning of a marker, or a high surrogate. */
  #held = "";
  /** Offset in the generation of the text being read. */
  #base = 0;

  readonly #units = new UnitWriter();
  /** A think unit came before (protocol.md P14). */
  #thought = false;
  readonly #code = new CodeTracker();

  /** `<execute>` or `<results>`, and the white space after it, until the next character decides what it is. */
  #marker = "";
  #markerStart = 0;
  #gap = "";
  #execute: ExecuteBlock | undefined;
  #results: ResultsBlock | undefined;

  constructor(options: ParserOptions) {
    this.#allowResults = options.results === "allow";
    this.#mode = options.startIn === "think" ? "leadingThink" : "text";
    this.#clock = options.clock ?? systemClock;
  }

  write(chunk: string): ParserEvent[] {
    if (this.done) {
      this.ignored += chunk.length;
      return [];
    }
    if (this.#execute?.swallow(chunk)) {
      this.#base += chunk.length;
      return [];
    }
    this.#begin();
    const text = this.#held === "" ? chunk : this.#held + chunk;
    this.#held = "";
    let i = 0;
    while (i < text.length && !this.done) i = this.#read(text, i);
    this.ignored += text.length - i;
    this.#base += text.length - this.#held.length;
    return this.#events;
  }

  end(finish: FinishReason = "stop"): ParserEvent[] {
    if (this.done) return [];
    this.#begin();
    const rest = this.#held;
    this.#held = "";
    switch (this.#mode) {
      case "leadingThink":
        this.#mode = "think";
        this.#emit(rest);
        break;
      case "text":
      case "think":
        this.#emit(rest);
        break;
      case "marker":
        this.#emit(this.#marker);
        break;
      case "execute":
        this.#endExecute(finish);
        break;
      case "results":
        this.#forged();
        break;
    }
    this.done = true;
    return this.#events;
  }

  #begin(): void {
    this.#events = [];
    this.#now = undefined;
  }

  /** One clock read a call, and only if something is emitted. */
  #time(): number {
    this.#now ??= this.#clock();
    return this.#now;
  }

  /** Read on from index `i` in the current mode; returns the index after what was read or held. */
  #read(text: string, i: number): number {
    switch (this.#mode) {
      case "text":
        return this.#readText(text, i);
      case "think":
        return this.#readThink(text, i);
      case "leadingThink":
        return this.#readLeadingThink(text, i);
      case "marker":
        return this.#readMarker(text, i);
      case "execute":
        return this.#readExecute(text, i);
      case "results":
        return this.#readResults(text, i);
    }
  }

  #readText(text: string, from: number): number {
    for (let i = this.#code.next(text, from); i < text.length; i = this.#code.next(text, i + 1)) {
      const marker = this.#markerAt(text, i);
      if (marker === undefined) {
        this.#code.pass("<");
        continue;
      }
      this.#emit(text.slice(from, i));
      if (marker === PARTIAL) return this.#hold(text, i);
      this.#enter(marker, this.#base + i);
      return i + marker.length;
    }
    return this.#emitToEnd(text, from);
  }

  /** The marker that begins at `i`, `PARTIAL` if this text ends inside of what may become one. */
  #markerAt(text: string, i: number): string | undefined {
    const rest = text.slice(i, i + EXECUTE.length);
    for (const marker of this.#thought ? markersAfterThought : markers) {
      if (rest.startsWith(marker)) return marker;
      if (i + rest.length === text.length && marker.startsWith(rest)) return PARTIAL;
    }
    return undefined;
  }

  #enter(marker: string, position: number): void {
    switch (marker) {
      case THINK:
        this.#closeUnit();
        this.#mode = "think";
        break;
      case THINK_CLOSE:
        this.#closeUnit();
        break;
      case END:
        this.#closeUnit();
        this.#events.push({ type: "end", timestamp: this.#time() });
        this.done = true;
        break;
      default:
        this.#marker = marker;
        this.#markerStart = position;
        this.#gap = "";
        this.#mode = "marker";
    }
  }

  #readThink(text: string, from: number): number {
    const close = text.indexOf(THINK_CLOSE, from);
    if (close >= 0) {
      this.#emit(text.slice(from, close));
      this.#closeUnit();
      this.#mode = "text";
      return close + THINK_CLOSE.length;
    }
    const last = text.lastIndexOf("<");
    if (last >= from && THINK_CLOSE.startsWith(text.slice(last, last + THINK_CLOSE.length))) {
      this.#emit(text.slice(from, last));
      return this.#hold(text, last);
    }
    return this.#emitToEnd(text, from);
  }

  /** With `startIn: "think"` a leading `<think>` is dropped (protocol.md P14). */
  #readLeadingThink(text: string, from: number): number {
    let i = from;
    while (isSpace(text.charCodeAt(i))) i++;
    const rest = text.slice(i, i + THINK.length);
    if (rest.length < THINK.length && THINK.startsWith(rest)) return this.#hold(text, i);
    this.#mode = "think";
    return rest === THINK ? i + THINK.length : i;
  }

  /** After `<execute>` or `<results>`: the next character other than white space decides (protocol.md P8, P12). */
  #readMarker(text: string, from: number): number {
    let i = from;
    while (isSpace(text.charCodeAt(i))) i++;
    this.#gap += text.slice(from, i);
    if (i === text.length) return i;
    const next = text.charAt(i);
    const opens = next === "[" || next === "{" || (next === "`" && this.#marker === EXECUTE);
    if (!opens) {
      this.#mode = "text";
      this.#code.pass(this.#marker + this.#gap);
      this.#emit(this.#marker + this.#gap);
    } else if (this.#marker === EXECUTE) {
      this.#closeUnit();
      this.#mode = "execute";
      this.#execute = new ExecuteBlock((content) => {
        this.#events.push({ type: "call", content, timestamp: this.#time() });
      });
    } else if (this.#allowResults) {
      this.#closeUnit();
      this.#mode = "results";
      this.#results = new ResultsBlock();
    } else {
      this.#forged();
    }
    return i;
  }

  #readExecute(text: string, from: number): number {
    const block = this.#execute as ExecuteBlock;
    const i = block.read(text, from, this.#base);
    if (block.fault) this.#malformed(block.fault);
    else if (block.closed) this.#run();
    return i;
  }

  #endExecute(finish: FinishReason): void {
    const block = this.#execute as ExecuteBlock;
    const fault = block.endFault();
    if (fault) this.#malformed(fault);
    else if (block.lacksOnlyCloser && finish === "stop") this.#run();
    else {
      const why = finish === "length" ? " at the output limit: make fewer calls or write long content in parts" : "";
      this.#fail("truncated_execute", this.#base, `The <execute> block was cut off${why}. Nothing was run.`);
    }
  }

  #run(): void {
    this.#events.push({ type: "execute", timestamp: this.#time() });
    this.done = true;
  }

  #malformed({ position, message }: { position: number; message: string }): void {
    const character = position - this.#markerStart - EXECUTE.length + 1;
    const where = `at character ${character} of the <execute> block`;
    this.#fail("malformed_execute", position, `Not valid ${where}: ${message}. Nothing was run.`);
  }

  #readResults(text: string, from: number): number {
    const block = this.#results as ResultsBlock;
    const i = block.read(text, from);
    if (!block.closed) return i;
    const { result } = block;
    if (result) this.#events.push({ type: "result", ...result, timestamp: this.#time() });
    else this.#forged();
    this.#mode = "text";
    return i;
  }

  #forged(): void {
    const message = this.#allowResults
      ? "The <results> block holds no complete array of results."
      : "Only the system writes <results>. Stop after </execute> and wait for them.";
    this.#fail("forged_results", this.#markerStart, message);
  }

  #fail(code: ParseErrorCode, position: number, content: string): void {
    this.#events.push({ type: "error", content: content.toWellFormed(), code, position, timestamp: this.#time() });
    this.done = true;
  }

  /** Keep `text` from `i` for the next write. */
  #hold(text: string, i: number): number {
    this.#held = text.slice(i);
    return text.length;
  }

  /** Emit what is left of this text, but not half of a surrogate pair. */
  #emitToEnd(text: string, from: number): number {
    const last = text.charCodeAt(text.length - 1);
    if (last < 0xd800 || last > 0xdbff) {
      this.#emit(text.slice(from));
      return text.length;
    }
    this.#emit(text.slice(from, -1));
    return this.#hold(text, text.length - 1);
  }

  /** Emit a piece of the open unit (protocol.md P9). */
  #emit(text: string): void {
    const content = this.#units.write(text);
    if (content === "") return;
    const type = this.#mode === "think" ? "think" : "respond";
    if (type === "think") this.#thought = true;
    this.#events.push({ type, content, timestamp: this.#time(), unit: this.#units.number });
  }

  #closeUnit(): void {
    this.#units.close();
    this.#code.reset();
  }
}

/** Stands for a marker that has only begun. */
const PARTIAL = "<";

const markers = [THINK, THINK_CLOSE, EXECUTE, RESULTS, END];

/** Once a think unit came, `</think>` is text (protocol.md P14). */
const markersAfterThought = [THINK, EXECUTE, RESULTS, END];

function systemClock(): number {
  return Date.now() / 1000;
}
