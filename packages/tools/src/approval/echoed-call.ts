import type { LogEvent, ToolCall } from "@cogency/protocol";
import { reader } from "../result/result-limits.ts";
import type { Tool } from "../tool.ts";
import { callMatcher, createCredit, extend, type SearchedText, searchedText } from "./call-matcher.ts";
import { blockLength } from "./echo-block.ts";
import { type EchoFilter, echoFilter } from "./echo-filter.ts";
import { echoLog } from "./echo-log.ts";
import { echoTexts, fold, readings } from "./echo-texts.ts";

/** Searches for the text of calls, one call of the batch after another; a promise if that takes long. `tool` would run. */
export type EchoDetector = (
  calls: readonly ToolCall[],
  tool?: Tool,
) => string | undefined | Promise<string | undefined>;

/** One reading of a text (`readings`). */
interface Reading extends SearchedText {
  readonly source: string;
}

type Search = Generator<undefined, string | undefined>;

/**
 * Finds a call whose text stands in an earlier tool result or in untrusted input of the conversation, as when a model copies
 * a call that somebody planted in a web page. Returns the source of that text, or undefined. Such a call must not be approved
 * automatically.
 *
 * A text holds a call if the name stands there with exactly its arguments, in any order, in one of the forms in which calls
 * are written (`callMatcher`), however it is spelled: white space, quotes, escapes (also of JSON in a JSON string, and of
 * URLs) and HTML entities do not matter. The name alone, or a value alone, is not an echo. On text that is made to take long
 * the answer is yes. This is a trip wire: it does not find a call that is described, encoded or put together from pieces.
 *
 * A call of `readResultTool` with the id of a result of this log is never an echo: the note of a shortened result tells the
 * model to make that very call, and it returns only what the conversation already holds.
 *
 * The first call that is checked reads every event once, for all detectors of this list (`echoLog`), of these events
 * (`echoBlock`) or of that content (`echoFilter`). An event is read again for a tool whose calls may stand in it. The search
 * yields to other work every `longestSlice` milliseconds, between readings. Once `isOver` returns true, it stops and answers
 * yes.
 */
export function createEchoDetector(events: readonly LogEvent[], isOver: () => boolean = () => false): EchoDetector {
  const credit = createCredit();
  const filters = new Map<LogEvent, EchoFilter>();
  const readingsOf = new Map<LogEvent, readonly Reading[]>();
  const candidates = new Map<string, readonly Reading[]>();
  /** Milliseconds of work since the search last yielded. */
  let worked = 0;
  let last: Promise<unknown> | undefined;

  /** The readings in which a call of the tool may stand. */
  function* readingsFor(name: string): Generator<undefined, readonly Reading[]> {
    const known = candidates.get(name);
    if (known) return known;
    const found: Reading[] = [];
    const { blocks, rest } = yield* echoLog(events);
    for (const [index, block] of blocks.entries()) {
      const start = index * blockLength;
      if (block.mayHold(name)) yield* findIn(events.slice(start, start + blockLength), name, found);
    }
    const start = blocks.length * blockLength;
    for (const [index, filter] of rest.entries()) {
      if (filter.mayHold(name)) found.push(...(yield* read(events[start + index] as LogEvent)));
    }
    candidates.set(name, found);
    return found;
  }

  /** Asks event by event. */
  function* findIn(row: readonly LogEvent[], name: string, found: Reading[]): Generator<undefined, void> {
    for (const event of row) {
      let filter = filters.get(event);
      if (!filter) {
        filter = yield* echoFilter(event);
        filters.set(event, filter);
      }
      if (filter.mayHold(name)) found.push(...(yield* read(event)));
      yield;
    }
  }

  function* read(event: LogEvent): Generator<undefined, readonly Reading[]> {
    const known = readingsOf.get(event);
    if (known) return known;
    const found: Reading[] = [];
    for (const { text, source } of echoTexts(event)) {
      for (const reading of readings(text)) {
        found.push({ ...searchedText(reading), source });
        extend(credit, reading.length);
        yield;
      }
    }
    readingsOf.set(event, found);
    return found;
  }

  function* search(calls: readonly ToolCall[]): Search {
    for (const call of calls) {
      const candidates = yield* readingsFor(fold(call.name));
      if (candidates.length === 0) continue;
      const occursIn = callMatcher(call, credit);
      for (const reading of candidates) {
        if (occursIn(reading)) return reading.source;
        yield;
      }
    }
    return undefined;
  }

  /** Searches until there is an answer or the time slice is used up. */
  function proceed(searching: Search): IteratorResult<undefined, string | undefined> {
    const begun = performance.now();
    const before = worked;
    for (;;) {
      const step = searching.next();
      worked = before + performance.now() - begun;
      if (step.done || worked >= longestSlice) return step;
    }
  }

  async function finish(searching: Search): Promise<string | undefined> {
    for (;;) {
      if (worked >= longestSlice) {
        await new Promise((resume) => setTimeout(resume));
        worked = 0;
      }
      if (isOver()) return "a text that was not read to its end";
      const step = proceed(searching);
      if (step.done) return step.value;
    }
  }

  /** Searches for one call after another, so that the answers come in the order of the calls. */
  return (calls, tool) => {
    if (events.length === 0) return undefined;
    const suspects = calls.filter(
      (call) => !readsResult(call, tool) || !events.some((event) => isResultOf(event, call)),
    );
    if (suspects.length === 0) return undefined;
    const searching = search(suspects);
    if (!last) {
      const step = proceed(searching);
      if (step.done) return step.value;
    }
    const answer = (last ?? Promise.resolve()).then(() => finish(searching));
    last = answer;
    return answer;
  };
}

/** Milliseconds of work at a stretch. */
const longestSlice = 20;

function readsResult({ name }: ToolCall, tool: Tool | undefined): boolean {
  return name === reader && tool?.name === name && tool.annotations.readOnlyHint === true;
}

/** Whether the event is the stored result that the call wants to read. A log from elsewhere may hold records without data. */
function isResultOf(event: LogEvent, { args: { id } }: ToolCall): boolean {
  return event.type === "record" && event.kind === "finished" && event.data?.id === id && id !== undefined;
}
