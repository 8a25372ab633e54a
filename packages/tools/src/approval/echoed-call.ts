import type { LogEvent, ToolCall } from "@cogency/protocol";
import { reader } from "../result/result-limits.ts";
import type { Tool } from "../tool.ts";
import { type CallBeginnings, callBeginnings } from "./call-beginnings.ts";
import { callMatcher, createCredit, extend, type SearchedText, searchedText } from "./call-matcher.ts";
import { echoTexts, fold, readings } from "./echo-texts.ts";

/** Asked about the calls of a batch in turn; a promise where reading takes long. `tool` is what would run. */
export type EchoDetector = (
  calls: readonly ToolCall[],
  tool?: Tool,
) => string | undefined | Promise<string | undefined>;

/** One reading of a text. */
interface Reading extends SearchedText {
  readonly source: string;
}

type Search = Generator<undefined, string | undefined>;

/**
 * Tells where the text of one of the calls stands in an earlier tool result or in untrusted input of the conversation, as
 * it does when a model copies a call that somebody planted in a web page; undefined where none stands anywhere. Such a call
 * must not be approved automatically.
 *
 * A call occurs where its name stands with exactly its arguments in a form in which calls are written (`callMatcher`), in
 * any order, however white space, quotes, escapes (also of JSON within a JSON string, and of URLs) and HTML entities spell
 * it. The name alone, or a value alone, is no echo. In doubt, on text made to take long, the answer is yes. This is a trip
 * wire: a call that is described, encoded or put together from pieces is not found.
 *
 * A call of the registry's own reader of results, with the id of a result of this log, is none: the note of a shortened result
 * tells the model to make that very call, and it gives nothing but what the conversation holds.
 *
 * An event is read at the first call that is checked, for all detectors in whose log its content stands (`callBeginnings`),
 * and read again for a tool whose calls may stand in it. Searching lets others work at least every `longestTurn`
 * milliseconds, between readings; once `isOver`, it is given up, and the answer is yes.
 */
export function createEchoDetector(events: readonly LogEvent[], isOver: () => boolean = () => false): EchoDetector {
  const credit = createCredit();
  const beginnings: CallBeginnings[] = [];
  const readingsOf = new Map<LogEvent, readonly Reading[]>();
  const candidates = new Map<string, readonly Reading[]>();
  /** Milliseconds of work since others could last do theirs. */
  let worked = 0;
  let last: Promise<unknown> | undefined;

  /** The readings in which a call of the tool may stand. */
  function* readingsFor(name: string): Generator<undefined, readonly Reading[]> {
    const known = candidates.get(name);
    if (known) return known;
    const found: Reading[] = [];
    for (const [index, event] of events.entries()) {
      beginnings[index] ??= yield* callBeginnings(event);
      if (beginnings[index].mayHold(name)) found.push(...(yield* read(event)));
      yield;
    }
    candidates.set(name, found);
    return found;
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

  /** Goes on until it has an answer, or until it is time to let others work. */
  function proceed(searching: Search): IteratorResult<undefined, string | undefined> {
    const begun = performance.now();
    const before = worked;
    for (;;) {
      const step = searching.next();
      worked = before + performance.now() - begun;
      if (step.done || worked >= longestTurn) return step;
    }
  }

  async function finish(searching: Search): Promise<string | undefined> {
    for (;;) {
      if (worked >= longestTurn) {
        await new Promise((resume) => setTimeout(resume));
        worked = 0;
      }
      if (isOver()) return "a text that was not read to its end";
      const step = proceed(searching);
      if (step.done) return step.value;
    }
  }

  /** One call after another, so that the answers come in the order of the questions. */
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

/** Milliseconds. */
const longestTurn = 20;

function readsResult({ name }: ToolCall, tool: Tool | undefined): boolean {
  return name === reader && tool?.name === name && tool.annotations.readOnlyHint === true;
}

/** A log from elsewhere may hold a record of nothing. */
function isResultOf(event: LogEvent, { args: { id } }: ToolCall): boolean {
  return event.type === "record" && event.kind === "finished" && event.data?.id === id && id !== undefined;
}
