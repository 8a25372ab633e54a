import type { Played, Recording, Variation } from "./play.ts";
import type { RecordedCase } from "./recorded.ts";

/**
 * A way in which a replay may differ from its recording. Every one is off until a change needs it: add it to `active`, or
 * write one, in the commit of that change; it is off again when the corpus is recorded anew.
 */
interface Allowance {
  /** Why the difference is intended. */
  why: string;
  /** The only cases to which `ignore` applies; all by default. */
  cases?: readonly string[];
  /** Removes the difference from a recording. Applied to both sides. */
  ignore?(recording: Recording): Recording;
  /** Whether the whole difference of a variant is intended. Applied to what `ignore` has left. */
  explains?(difference: Difference): boolean;
}

/** What the allowances see of a replay that differs. */
interface Difference {
  variation: Variation;
  played: Played;
  now: Recording;
  was: Recording;
  /** The recorded base run, and the one of today. */
  base: Recording;
  /** What was recorded of the same kind of variation, by its position. */
  others: readonly { at: number; recording: Recording }[];
}

/** The names of the allowances that are on. */
const active: readonly string[] = [];

const allowances: Record<string, Allowance> = {
  "1 grouped appends": {
    why: "Appends of one moment are one append, and only the tail of the log is loaded. The order in which events are stored stays.",
    ignore: ({ operations, ...rest }) => ({
      ...rest,
      operations: operations
        .filter((line) => line.startsWith("append "))
        .flatMap((line) => line.split(" ").slice(1))
        .filter((kind) => kind !== ""),
    }),
  },
  "1 fewer tries": {
    why: "A store that fails every third time fails at other events if it is asked less often.",
    cases: ["trouble: a store that is away every third time"],
    ignore: (recording) => ({ ...withoutTimes(recording), operations: [] }),
  },
  "1 a group fails together": {
    why: "The events of one append are stored together or not at all, and none of them is given if they are not.",
    explains: failsAsGroup,
  },
  "6 the last append fails together": {
    why: "The last text, the usage and the ending are one append. A store that refuses it loses them together, and usage is not tried again.",
    explains: failsAsLastGroup,
  },
  "2 an abort reaches calls earlier": {
    why: "The calls of a batch start together, so an abort from the observer of one call may reach another one before it has settled.",
    explains: reachesOtherCalls,
  },
  "4 stored before the first event is given": {
    why: "A piece of the answer that holds several events is stored before the first of them is given, and tools start then. A run that ends at an early event finds more in the log: as much as was recorded for a later one.",
    explains: findsMore,
  },
  "5 a stored ending stands": {
    why: "An abort after the ending is stored does not turn a completed run into a cancelled one.",
    explains: ({ variation, played, now, base }) => {
      const { evidence } = played;
      const last = evidence.log[(evidence.variedAt ?? 0) - 1];
      const hasEnded = last?.type === "record" && last.kind === "run";
      return (variation.kind === "abort" || variation.kind === "deadline") && hasEnded && isSame(now, base);
    },
  },
  "2 starts of a batch together": {
    why: "The calls of a batch that may run side by side are started by one append, so that all `started` records come before the first `finished`.",
    ignore: ({ log, trace, operations, ...rest }) => ({
      ...rest,
      log: startsFirst(log, '"kind":"started"', ['"kind":"started"', '"kind":"finished"', '"kind":"content"']),
      trace: startsFirst(trace, "started ", ["started ", "completed ", "progress "]),
      operations: startsFirst(operations, "started", ["started", "finished", "content"]),
    }),
  },
  "3 the end of a run in the log": {
    why: "The record `run` says that a run has ended. Recovering such a conversation asks no model and runs no tool.",
    ignore: ({ log, operations, ...rest }) => ({
      ...rest,
      log: log.filter((line) => !line.includes('"kind":"run"')),
      operations: operations.filter((kind) => kind !== "run"),
    }),
  },
  "7 the time of a refusal": {
    why: "The record of a refused block has the time of the refusal, not the time after its calls have ended.",
    ignore: ({ log, ...rest }) => ({
      ...rest,
      log: log.map((line) => (line.includes('"kind":"rejected"') ? untimed(line) : line)),
    }),
  },
  "2 an abort reaches calls earlier, in the run itself": {
    why: "As above, where a tool or the store aborts the run.",
    cases: ["a tool that aborts the run", "trouble: a store that hangs when the run is cancelled"],
    ignore: ({ log, trace, ...rest }) => ({
      ...rest,
      operations: [],
      log: [...log].sort(),
      trace: trace.filter((line) => line !== "started id2 endless {}").sort(),
    }),
    explains: ({ variation }) => ["refuse", "doubt"].includes(variation.kind),
  },
  "3 an ended conversation is not recovered": {
    why: "As above, where the scene recovers a conversation that has ended.",
    cases: ["conversation: recover after an answer"],
    explains: ({ now }) => now.log.every((line) => !line.includes('"origin":"recovery"')) && now.requests.length <= 1,
  },
  "7 the time of a mistake": {
    why: "The event of an empty block or turn has the time before its record is stored, not after.",
    ignore: ({ events, ...rest }) => ({
      ...rest,
      events: events.map((line) => (/"code":"empty_(batch|turn)"/.test(line) ? untimed(line) : line)),
    }),
  },
  "8 a store that hangs": {
    why: "After an abort a store that hangs ends the run after 250 ms.",
    cases: ["trouble: a store that hangs when the run is cancelled"],
    explains: ({ was }) => was.events.some((line) => line.startsWith("the run hangs")),
  },
  "9 leaving after the end changes nothing": {
    why: "A consumer that leaves at the events that end the run adds nothing to the log. Off: today it adds `cancelled`.",
    explains: ({ played: { evidence } }) =>
      evidence.turns.some(({ hasLeft, hasEnded, to }) => hasLeft && hasEnded && to === evidence.variedAt),
  },
  "0 scenes": {
    why: "A driver that throws is asked for its request first, and the store that stays away refuses each append with a call.",
    cases: ["trouble: a driver that throws", "trouble: a store that stays away"],
    explains: () => true,
  },
  "4 tools do not wait for the consumer": {
    why: "The tools of a block start when it is stored, not when the consumer pulls.",
    cases: ["a slow consumer"],
    ignore: withoutTimes,
  },
};

function withoutTimes({ log, events, requests, trace, operations }: Recording): Recording {
  return { log: log.map(untimed), events: events.map(untimed), requests, trace, operations };
}

function untimed(line: string): string {
  return line.replace(/"(timestamp|duration)":[\d.]+/g, '"$1":0');
}

/** Moves the lines with `mark` to the beginning of each row of lines that have one of the marks. */
function startsFirst(lines: readonly string[], mark: string, row: readonly string[]): string[] {
  const sorted: string[] = [];
  let pending: string[] = [];
  const flush = () => {
    sorted.push(...pending.filter((line) => line.includes(mark)), ...pending.filter((line) => !line.includes(mark)));
    pending = [];
  };
  for (const line of lines) {
    if (row.some((one) => line.includes(one))) pending.push(line);
    else {
      flush();
      sorted.push(line);
    }
  }
  flush();
  return sorted;
}

function isSame(one: Recording, other: Recording): boolean {
  return firstDifference(one, other) === undefined;
}

function areSame(lines: readonly string[], others: readonly string[]): boolean {
  return lines.length === others.length && lines.every((line, index) => line === others[index]);
}

/** Whether the lines are among the others, in their order. */
function isWithin(lines: readonly string[], others: readonly string[]): boolean {
  let next = 0;
  return lines.every((line) => {
    next = others.indexOf(line, next) + 1;
    return next > 0;
  });
}

/**
 * A recording without what depends on how far the calls of a batch and the rest of the answer have got: the records of the
 * calls and what they came to, what the answer used, native blocks. The laws say that these are sound.
 */
function withoutProgress({ log, events, ...rest }: Recording): Recording {
  const ofCall = ["native", "started", "finished", "content", "approval"].map(
    (kind) => `"type":"record","kind":"${kind}"`,
  );
  return {
    ...rest,
    log: log.filter((line) => !ofCall.some((one) => line.includes(one))).map(withoutResults),
    events: events.map(withoutResults),
  };
}

/** The line without results of tools, usage and times. */
function withoutResults(line: string): string {
  if (line.startsWith('{"type":"metric"')) return "metric";
  if (line.startsWith('{"type":"result"')) return `result of ${line.split('\\"status\\":').length - 1} calls`;
  if (line.includes('"type":"record","kind":"usage"')) return "usage";
  const left = line.replace(/"usage":\{[^}]*\},("cost":[\d.e-]+,)?/, "").replace(/"toolErrors":\d+/, "");
  return untimed(line.startsWith('{"status"') ? left : line);
}

function idOf(line: string, kind: string): string[] {
  const id = line.match(new RegExp(`"kind":"${kind}","data":{"id":"(\\w+)"`))?.[1];
  return id === undefined ? [] : [id];
}

function findsMore({ variation, played, now, was, others }: Difference): boolean {
  if (!("at" in variation) || !["abort", "deadline", "leave"].includes(variation.kind)) return false;
  const { variedAt = 0, log, turns } = played.evidence;
  const prompts = log.slice(0, variedAt).filter(({ type }) => type === "user").length;
  const isAlone = turns.length === 1;
  // The turns after it depend on what it has left in the log.
  const ofTurn = (lines: readonly string[]) => (isAlone ? lines : beforePrompt(lines, prompts));
  const mayStayOpen = (line: string) => variation.kind !== "deadline" || !line.startsWith("result ");
  const left = withoutProgress(now);
  return [{ at: variation.at, recording: was }, ...others.filter(({ at }) => at > variation.at)].some(
    ({ recording }) => {
      const later = withoutProgress(recording);
      return (
        areSame(ofTurn(later.log).filter(mayStayOpen), ofTurn(left.log).filter(mayStayOpen)) &&
        (!isAlone || areSame(recording.requests, now.requests)) &&
        isWithin(ofTurn(left.events).filter(mayStayOpen), later.events)
      );
    },
  );
}

/** The lines before the prompt with this number, counted from 0. */
function beforePrompt(lines: readonly string[], prompt: number): readonly string[] {
  const places = lines.flatMap((line, index) => (line.startsWith('{"type":"user"') ? [index] : []));
  return lines.slice(0, places[prompt] ?? lines.length);
}

function failsAsGroup(difference: Difference): boolean {
  return failsAs(difference, false);
}

function failsAsLastGroup(difference: Difference): boolean {
  return failsAs(difference, true);
}

/** Whether a failed append left what was recorded when one of its events failed, in the turn that it ended. */
function failsAs({ variation, played, now, was, base, others }: Difference, isLast: boolean): boolean {
  const { failed } = played;
  if (!failed || !("at" in variation) || !["refuse", "doubt", "lost", "dead"].includes(variation.kind)) return false;
  const isKept = variation.kind === "doubt" || variation.kind === "lost";
  const appended = base.log.slice(failed.from - 1, failed.to);
  const holdsUsage = appended.some((line) => line.includes('"kind":"usage"'));
  if (isLast !== holdsUsage) return false;
  const left = withoutProgress({ ...now, log: now.log.slice(isKept ? failed.to : failed.from - 1) });
  const { turns } = played.evidence;
  const isAlone = turns.length === 1;
  const group = [
    { at: variation.at, recording: was },
    ...others.filter(({ at }) => at >= failed.from && at <= failed.to),
  ];
  return group.some(({ at, recording }) => {
    const log = recording.log.slice(isKept ? at : at - 1).filter((line) => !appended.includes(line));
    const then = withoutProgress({ ...recording, log });
    if (isLast && then.log[0] === "usage") then.log.shift();
    const isSameLog = isAlone ? areSame(left.log, then.log) : areSame(untilUser(left.log), untilUser(then.log));
    const turn = firstTurn(
      left.events,
      turns.findIndex(({ result }) => result.error),
    );
    return isSameLog && isWithin(turn.map(withoutConflict), then.events.map(withoutConflict));
  });
}

/** The result of a run without the error of its store, which is the first one now, not the conflict that this one caused. */
function withoutConflict(line: string): string {
  return line.replace(/"text":"(\\.|[^"])*"/, '"text":""').replace(/"error":"RunError store: .*"/, '"error":"store"');
}

/** The events up to the end of the turn that failed. */
function firstTurn(events: readonly string[], failed: number): readonly string[] {
  const ends = events.flatMap((line, index) => (line.startsWith('{"status"') ? [index] : []));
  return events.slice(0, (ends[failed] ?? events.length) + 1);
}

/** The lines before the next prompt. What follows depends on the log before it; the laws look after that. */
function untilUser(log: readonly string[]): readonly string[] {
  const next = log.findIndex((line) => line.startsWith('{"type":"user"'));
  return next === -1 ? log : log.slice(0, next);
}

function reachesOtherCalls({ variation, now, was }: Difference): boolean {
  if (variation.kind !== "halt") return false;
  const calls = ({ log }: Recording) =>
    log
      .map((line) => {
        if (line.includes('"kind":"finished"')) return `finished ${idOf(line, "finished")}`;
        if (line.includes('"kind":"usage"') || line.startsWith('{"type":"result"')) return line.slice(0, 20);
        return untimed(line);
      })
      .sort();
  return areSame(calls(now), calls(was)) && now.requests.length === was.requests.length;
}

export interface Comparison {
  /** The first difference that no allowance explains. */
  difference: string | undefined;
  /** The allowances without which there would be a difference. */
  needed: string[];
}

/** Compares a replay with its recording. */
export function compare(
  variation: Variation,
  played: Played,
  { name, base, variants }: RecordedCase,
  names = active,
): Comparison {
  const found = variants.find(
    (one) =>
      one.variation.kind === variation.kind &&
      "at" in variation &&
      "at" in one.variation &&
      one.variation.at === variation.at,
  );
  const was = variation.kind === "base" ? base : found?.recording;
  if (!was) return { difference: `${name}, ${describeVariation(variation)}: nothing is recorded.`, needed: [] };
  const others = variants.flatMap((one) =>
    one.variation.kind === variation.kind && "at" in one.variation
      ? [{ at: one.variation.at, recording: one.recording }]
      : [],
  );
  const differs = (chosen: readonly string[]): string | undefined => {
    const on = chosen.flatMap((one) => allowances[one] ?? []);
    const left = (one: Recording) =>
      on.reduce((rest, { ignore, cases }) => (cases && !cases.includes(name) ? rest : (ignore?.(rest) ?? rest)), one);
    const now = left(played.recording);
    const first = firstDifference(left(was), now);
    if (first === undefined) return undefined;
    const all = {
      variation,
      played,
      now,
      was: left(was),
      base: left(base),
      others: others.map(({ at, recording }) => ({ at, recording: left(recording) })),
    };
    return on.some(({ explains, cases }) => (!cases || cases.includes(name)) && explains?.(all)) ? undefined : first;
  };
  const first = differs(names);
  if (first !== undefined) return { difference: `${name}, ${describeVariation(variation)}: ${first}`, needed: [] };
  const needed = names.filter((one) => differs(names.filter((other) => other !== one)) !== undefined);
  return { difference: undefined, needed };
}

function firstDifference(recorded: Recording, replayed: Recording): string | undefined {
  for (const list of ["log", "events", "requests", "trace", "operations"] as const) {
    const [before, now] = [recorded[list], replayed[list]];
    const index = Array.from({ length: Math.max(before.length, now.length) }).findIndex(
      (_, at) => before[at] !== now[at],
    );
    if (index === -1) continue;
    return [
      `line ${index + 1} of ${list} differs (${before.length} lines recorded, ${now.length} now).`,
      `  recorded: ${before[index] ?? "no such line"}`,
      `  now:      ${now[index] ?? "no such line"}`,
    ].join("\n");
  }
  return undefined;
}

export function describeVariation(variation: Variation): string {
  return "at" in variation ? `${variation.kind} at ${variation.at}` : "the run itself";
}
