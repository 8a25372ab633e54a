import type {
  CallDeltaEvent,
  CallEvent,
  EndEvent,
  ErrorEvent,
  ExecuteEvent,
  ParseErrorCode,
  RespondEvent,
  ResultEvent,
  ThinkEvent,
} from "../events.ts";
import type { Dialect } from "../message.ts";
import { callback, checkOptions, flag, type OptionTable, oneOf } from "../options/index.ts";
import { parseResultArray } from "../results.ts";
import { indexOf, skipSpace } from "../text/characters.ts";
import { compactJson } from "../text/json-strings.ts";
import { END, EXECUTE, RESULTS, RESULTS_CLOSE, THINK, THINK_CLOSE } from "../text/markers.ts";
import type { FinishReason } from "../usage.ts";
import type { Block } from "./block.ts";
import { CodeTracker } from "./code-tracker.ts";
import { JsonBlock } from "./json-block.ts";
import { UnitWriter } from "./unit-writer.ts";
import { XmlBlock } from "./xml-block.ts";

type WithoutTimestamp<E> = E extends unknown ? Omit<E, "timestamp"> : never;

/** The events that a parser emits. */
export type ParserEvent =
  | ThinkEvent
  | RespondEvent
  | CallEvent
  | CallDeltaEvent
  | ExecuteEvent
  | ResultEvent
  | EndEvent
  | ErrorEvent;

export interface ParserOptions {
  /** How calls are written (protocol.md §1); `"json"` by default. */
  dialect?: Dialect | undefined;
  /**
   * Reads blocks too that one of the lossless repairs of protocol.md §2 makes valid; their `execute` has `repaired: true`.
   * Defaults to false. JSON dialect only.
   */
  repair?: boolean | undefined;
  /**
   * `"forbid"`, the default: a results block is the error `forged_results` (protocol.md P8). `"allow"` reads it, for
   * transcripts that the system itself has written.
   */
  results?: "forbid" | "allow" | undefined;
  /** `"think"` for chat templates that open the think block themselves; `"text"` by default. */
  startIn?: "text" | "think" | undefined;
  /** Emits `call_delta` events with the raw text of arguments as it arrives, for display. Defaults to false. */
  callDeltas?: boolean | undefined;
  /**
   * Returns Unix time in seconds; defaults to the system's clock. It is read at most once in each `write` and `end`.
   */
  clock?: (() => number) | undefined;
}

/**
 * Reads one generation as it arrives, and emits the token view (protocol.md §3): pieces of text and thinking as they
 * arrive, numbered by unit, and each call as it closes. `settle` turns that into the event view.
 */
export interface Parser {
  /** Reads the next piece of the generation, which may be cut anywhere. Never throws (protocol.md P4). */
  write(chunk: string): ParserEvent[];
  /** Called when the generation is over. `finish` says how it ended and defaults to `"stop"` (protocol.md P14). */
  end(finish?: FinishReason): ParserEvent[];
  /** True after `</execute>`, `<end>`, an error or `end()`. Later text is ignored (protocol.md P5). */
  readonly done: boolean;
  /** The number of UTF-16 units that came after the parser was done. */
  readonly ignored: number;
}

/**
 * Makes a parser for one generation (protocol.md §2).
 *
 * @throws TypeError or RangeError, with the code `invalid_option`, for an unknown option or a wrong value of one
 */
export function createParser(options: ParserOptions = {}): Parser {
  checkOptions("createParser", options, parserOptions);
  return new StreamingParser(options);
}

export const parserOptions = {
  dialect: /* @__PURE__ */ oneOf("json", "xml"),
  repair: flag,
  results: /* @__PURE__ */ oneOf("forbid", "allow"),
  startIn: /* @__PURE__ */ oneOf("text", "think"),
  callDeltas: flag,
  clock: callback,
} satisfies OptionTable<ParserOptions>;

/** A parser whose options have been checked. */
export class StreamingParser implements Parser {
  done = false;
  ignored = 0;

  readonly #options: ParserOptions;
  readonly #clock: () => number;
  /**
   * Whether a `<think>` that comes now is dropped: at the start of a generation inside of thinking (protocol.md P14).
   */
  #dropsOpener: boolean;
  /** The markers that have a meaning here. Where there is only one, code has none. */
  #markers: readonly string[];
  /** Whether a think unit has come. */
  #hasThought = false;

  /** The events of this write, and the time at which they were made; undefined while there are none. */
  #events: ParserEvent[] | undefined;
  #now: number | undefined;
  /** Text that waits for the next write: a beginning of a marker, or a high surrogate. */
  #held = "";
  /** The offset in the generation of the text that is being read. */
  #base = 0;

  readonly #units = new UnitWriter();
  readonly #code = new CodeTracker();

  /** `<execute>` or `<results>` with the white space after it, until the next character decides what it is. */
  #marker = "";
  /** The offset in the generation of the latest of these markers. */
  #markerStart = 0;
  #block: Block | undefined;
  /** The text of the open block of results, in a transcript. */
  #results = "";

  constructor(options: ParserOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => Date.now() / 1000);
    this.#dropsOpener = options.startIn === "think";
    this.#markers = this.#dropsOpener ? inThought : beforeThought;
  }

  write(chunk: string): ParserEvent[] {
    if (this.done) {
      this.ignored += chunk.length;
      return [];
    }
    if (this.#block?.readInsideString?.(chunk, this.#base)) {
      this.#base += chunk.length;
      return [];
    }
    const text = this.#held + chunk;
    this.#held = "";
    this.#code.begin(text);
    let i = 0;
    while (i < text.length && !this.done) i = this.#read(text, i);
    this.ignored += text.length - i;
    this.#base += text.length - this.#held.length;
    return this.#take();
  }

  end(finish: FinishReason = "stop"): ParserEvent[] {
    if (this.done) return [];
    const rest = this.#held;
    if (this.#block) {
      this.#block.read(rest, 0, this.#base);
      this.#endBlock(this.#block, finish);
    } else if (this.#markers === inResults) this.#forged();
    else this.#emit(this.#marker + rest);
    this.done = true;
    return this.#take();
  }

  #take(): ParserEvent[] {
    const taken = this.#events ?? [];
    this.#events = undefined;
    this.#now = undefined;
    return taken;
  }

  /** Reads the clock once a write, and only if there is an event. */
  #push(event: WithoutTimestamp<ParserEvent>): void {
    this.#now ??= this.#clock();
    const timed = event as ParserEvent;
    timed.timestamp = this.#now;
    if (this.#events) this.#events.push(timed);
    else this.#events = [timed];
  }

  /** Reads on from index `i`; returns the index after the text that was read or held. */
  #read(text: string, i: number): number {
    if (this.#block) return this.#readBlock(this.#block, text, i);
    if (this.#dropsOpener) return this.#readStart(text, i);
    return this.#marker === "" ? this.#readText(text, i) : this.#readMarker(text, i);
  }

  #readStart(text: string, from: number): number {
    const i = skipSpace(text, from);
    const rest = text.slice(i, i + THINK.length);
    if (rest.length < THINK.length && THINK.startsWith(rest)) return this.#hold(text, i);
    this.#dropsOpener = false;
    return rest === THINK ? i + THINK.length : i;
  }

  #readText(text: string, from: number): number {
    for (let i = this.#nextMarker(text, from); i < text.length; i = this.#nextMarker(text, i + 1)) {
      const found = this.#markerAt(text, i);
      if (found === undefined) {
        if (this.#markers.length > 1) this.#code.pass("<");
        continue;
      }
      this.#emit(text.slice(from, i));
      if (found === PARTIAL) return this.#hold(text, i);
      this.#enter(found, this.#base + i);
      return i + found.length;
    }
    const end = wholeCharacters(text);
    this.#emit(text.slice(from, end));
    return this.#hold(text, end);
  }

  #nextMarker(text: string, from: number): number {
    return this.#markers.length > 1 ? this.#code.next(from) : indexOf(text, "<", from);
  }

  /** The marker that begins at `i`; `PARTIAL` if the text ends inside of one; undefined if there is none. */
  #markerAt(text: string, i: number): string | undefined {
    const rest = text.slice(i, i + RESULTS_CLOSE.length);
    for (const marker of this.#markers) {
      if (rest.startsWith(marker)) return marker;
      if (marker.startsWith(rest)) return PARTIAL;
    }
    return undefined;
  }

  #enter(found: string, position: number): void {
    if (found === EXECUTE || found === RESULTS) {
      this.#marker = found;
      this.#markerStart = position;
      return;
    }
    if (this.#markers === inResults) {
      this.#closeResults(this.#results);
      return;
    }
    this.#closeUnit();
    this.#markers = found === THINK ? inThought : this.#hasThought ? afterThought : beforeThought;
    if (found !== END) return;
    this.#push({ type: "end" });
    this.done = true;
  }

  /** After `<execute>` or `<results>`: the next character other than white space decides (protocol.md P8, P12). */
  #readMarker(text: string, from: number): number {
    const i = skipSpace(text, from);
    this.#marker += text.slice(from, i);
    if (i === text.length) return i;
    const isExecute = this.#marker.startsWith(EXECUTE);
    const opensBlock = !isExecute ? "[{" : this.#options.dialect === "xml" ? "<" : "[{`";
    if (!opensBlock.includes(text.charAt(i))) {
      this.#code.pass(this.#marker);
      this.#emit(this.#marker);
    } else if (isExecute || this.#options.results === "allow") {
      this.#closeUnit();
      if (isExecute) this.#block = this.#openBlock();
      else {
        this.#results = "";
        this.#markers = inResults;
      }
    } else this.#forged();
    this.#marker = "";
    return i;
  }

  #openBlock(): Block {
    const { dialect, repair, callDeltas } = this.#options;
    let index = 0;
    const onCall = (content: string) => {
      index++;
      this.#push({ type: "call", content });
    };
    const onDelta = (raw: string, name: string | undefined) => {
      const content = raw.toWellFormed();
      this.#push({ type: "call_delta", index, ...(name !== undefined && { name: name.toWellFormed() }), content });
    };
    const listener = { onCall, onDelta: callDeltas ? onDelta : undefined };
    return dialect === "xml" ? new XmlBlock(listener) : new JsonBlock(listener, repair);
  }

  #readBlock(block: Block, text: string, from: number): number {
    // A delta must not end with half a surrogate pair.
    const end = this.#options.callDeltas ? wholeCharacters(text) : text.length;
    const i = block.read(text.slice(0, end), from, this.#base);
    return this.#closeBlock(block, block.isClosed) ? i : this.#hold(text, end);
  }

  #endBlock(block: Block, finish: FinishReason): void {
    block.end();
    if (this.#closeBlock(block, block.lacksOnlyCloser() && finish === "stop")) return;
    const why = finish === "length" ? " at the output limit: write long content in parts" : "";
    const end = this.#base + this.#held.length;
    this.#fail("truncated_execute", end, `The <execute> block was cut off${why}. Nothing was run.`);
  }

  /** Ends the block if it is refused or complete; returns whether it did. */
  #closeBlock({ fault, isRepaired }: Block, isComplete: boolean): boolean {
    if (fault) {
      const character = fault.position - this.#markerStart - EXECUTE.length + 1;
      const what = `is not valid at character ${character}: ${fault.message}`;
      this.#fail("malformed_execute", fault.position, `The <execute> block ${what}. Nothing was run.`);
    } else if (isComplete) {
      this.#push({ type: "execute", ...(isRepaired && { repaired: true }) });
      this.done = true;
    }
    return this.done;
  }

  #closeResults(text: string): void {
    const results = parseResultArray(text);
    if (results) {
      const failures = results.filter(({ status }) => status === "failure").length;
      const payload = {
        tools_executed: results.length,
        success_count: results.length - failures,
        failure_count: failures,
      };
      this.#push({ type: "result", content: compactJson(text), payload });
      this.#markers = this.#hasThought ? afterThought : beforeThought;
    } else this.#forged();
  }

  #forged(): void {
    this.#fail("forged_results", this.#markerStart, "Only the system writes <results>; wait for it.");
  }

  #fail(code: ParseErrorCode, position: number, content: string): void {
    this.#push({ type: "error", content: content.toWellFormed(), code, position });
    this.done = true;
  }

  /** Keeps `text` from `i` on for the next write. */
  #hold(text: string, i: number): number {
    this.#held = text.slice(i);
    return text.length;
  }

  /** Emits a piece of the open unit (protocol.md P9). */
  #emit(text: string): void {
    if (this.#markers === inResults) {
      this.#results += text;
      return;
    }
    const content = this.#units.write(text);
    if (content === "") return;
    const isThinking = this.#markers === inThought;
    if (isThinking) this.#hasThought = true;
    this.#push({
      type: isThinking ? "think" : "respond",
      content,
      unit: this.#units.number,
    });
  }

  #closeUnit(): void {
    this.#units.close();
    this.#code.reset();
  }
}

/** Stands for a marker of which only the beginning has come. */
const PARTIAL = "<";

/** The markers after a think unit: `</think>` is text there (protocol.md P14). */
const afterThought = [THINK, EXECUTE, RESULTS, END];
const beforeThought = [THINK_CLOSE, ...afterThought];
const inThought = [THINK_CLOSE];
const inResults = [RESULTS_CLOSE];

/** The length of a text without the half of a surrogate pair at its end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
