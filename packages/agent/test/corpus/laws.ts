import { type LogEvent, missingResults, parseResults } from "@cogency/protocol";
import type { Played, PlayedTurn, Recording, Variation } from "./play.ts";

/** One replay, and the run that it varies. */
export interface Replay {
  variation: Variation;
  played: Played;
  /** The base run as it is now. */
  base: Recording;
}

/**
 * What every replay must do, whatever was recorded of it. A law gives a sentence for each violation. The first column of an
 * exception is what makes it necessary.
 */
const laws: Record<string, (replay: Replay) => string[]> = {
  "a settled event is stored before it is given, in the order of the log; nothing is given after the end": (
    { played }, // Text that a hanging store has not taken may have been given in pieces.
  ) => played.evidence.turns.flatMap(({ faults, isHung }) => (isHung ? [] : faults)),

  "a screen shows the same settled parts live and from the log": ({ played: { evidence, failed } }) =>
    // What a store did not take was shown all the same.
    failed ? [] : evidence.turns.flatMap(({ screens, isHung, hasLeft }) => (isHung || hasLeft ? [] : screens)),

  "sequence numbers have no gap": ({ played: { evidence } }) => {
    const log = evidence.recovered?.log ?? evidence.log;
    const gap = log.findIndex(({ seq }, index) => seq !== index + 1);
    return gap === -1 ? [] : [`The event ${gap + 1} has the sequence number ${log[gap]?.seq}.`];
  },

  "up to the variation the log is that of the base run": (replay) => {
    const { played, base } = replay;
    const log = played.recording.log;
    const length = Math.min(sharedLength(replay), log.length);
    const index = log.slice(0, length).findIndex((line, at) => line !== base.log[at]);
    return index === -1 ? [] : [`Event ${index + 1} is ${log[index]}, and in the base run ${base.log[index]}.`];
  },

  "a store that fails for good keeps what it had": ({ variation, played: { recording, failed } }) =>
    variation.kind === "dead" && failed && recording.log.length !== failed.from - 1
      ? [`The log has ${recording.log.length} events, and append ${failed.from} was the first to fail.`]
      : [],

  "nothing is stored after the end of a run": ({ played: { evidence } }) =>
    evidence.turns.flatMap(({ to }, index) => {
      const next = evidence.turns[index + 1]?.from ?? evidence.log.length;
      return next === to ? [] : [`Turn ${index + 1} ended with ${to} events, and later the log has ${next}.`];
    }),

  "every call has one result": ({ variation, played: { evidence } }) => {
    const log = evidence.recovered?.log ?? evidence.log;
    // What another process or an older version stored is not this run's.
    const from = variation.kind === "kill" ? 0 : (evidence.turns[0]?.from ?? 0);
    const open = missingResults(log).length;
    return [
      ...resultFaults(log, from),
      ...(open > 0 ? [`After another process has recovered the conversation, ${open} calls have no result.`] : []),
    ];
  },

  "no body runs twice unless it may be repeated": ({ variation, played: { evidence } }) => {
    const begun = new Set(variation.kind === "kill" ? begunBefore(evidence.log, evidence.turns[0]?.from ?? 0) : []);
    return evidence.bodies.flatMap(({ id, name, isRepeatable }) => {
      if (begun.has(id) && !isRepeatable) return [`The body of ${name} ran twice for the call ${id}.`];
      begun.add(id);
      return [];
    });
  },

  "a body begins after its `started` record is stored": ({ played: { evidence } }) =>
    evidence.bodies.flatMap(({ id, name, isLogged, isEarly }) =>
      isLogged || isEarly ? [] : [`The body of ${name} began before the log said that the call ${id} had.`],
    ),

  "the end of the log says how the run ended": (replay) =>
    replay.played.evidence.turns.flatMap((turn, index) =>
      endFaults(replay, turn).map((fault) => `Turn ${index + 1}: ${fault}`),
    ),

  "the result of a run lists the calls that may have taken effect": ({ played: { evidence, failed } }) =>
    // What a store did not take cannot be compared.
    failed ? [] : evidence.turns.flatMap((turn) => (turn.isHung ? [] : unknownFaults(evidence.log, turn))),

  "another process can recover the conversation": ({ played: { evidence } }) => {
    const { recovered, log } = evidence;
    if (!recovered) return [];
    const { result, thrown, asked } = recovered;
    const faults: string[] = [];
    if (result.error !== thrown) faults.push("The recovery throws another error than its result has.");
    // The failure of a tool that ends the run ends it again. Where the process died before it had stored the first words, nobody has said any.
    const isUnspoken = result.error?.code === "nothing_to_recover" && log.every(({ type }) => type === "record");
    if (result.error && result.error.code !== "tool" && !isUnspoken)
      faults.push(`The recovery failed: ${result.error.message}`);
    const hasEnded = log.findLast((event) => event.type !== "record" || event.kind === "run")?.type === "record";
    const grown = recovered.log.length - log.length;
    if (hasEnded && (asked > 0 || grown > 0)) {
      faults.push(`The run had ended, and its recovery asked the model ${asked} times and stored ${grown} events.`);
    }
    return faults;
  },

  "what a search found is described once, right after the result that names it": ({ played: { evidence } }) =>
    foundFaults(evidence.recovered?.log ?? evidence.log),

  "the run ends": ({ played: { recording } }) => recording.events.filter((line) => line.startsWith("the run hangs")),

  "every rejection is handled": ({ played: { evidence } }) => evidence.unhandled,

  "no timer is left": ({ played: { evidence } }) => {
    // A run that did not get its lease remembers its name for the `ttl`.
    const busy = evidence.turns.filter(({ result }) => result.error?.code === "busy").length;
    return evidence.timersLeft <= busy ? [] : [`${evidence.timersLeft} timers are set one second after the last run.`];
  },

  "the store is asked one thing at a time": ({ played: { evidence } }) => evidence.overlaps,

  "no timer is set when a run has ended": ({ played: { evidence } }) =>
    evidence.turns.flatMap(({ timers, result, isHung }, index) =>
      // One ends the wait for a store that hangs; one forgets the name of a run that did not get its lease.
      timers > 0 && !isHung && result.error?.code !== "busy"
        ? [`${timers} timers at the end of turn ${index + 1}.`]
        : [],
    ),

  "the lease is given back": ({ played: { evidence } }) =>
    evidence.leasesLeft === 0 ? [] : [`${evidence.leasesLeft} leases were granted and not given back.`],

  "a run ends once": ({ played: { evidence } }) =>
    evidence.turns.flatMap(({ from, to }, index) => {
      const ends = evidence.log.slice(from, to).filter(isEnd).length;
      return ends > 1 ? [`The log says ${ends} times how turn ${index + 1} ended.`] : [];
    }),
  "a consumer that leaves after the run's end changes nothing": ({ played: { evidence } }) =>
    evidence.turns.flatMap(({ to, hasLeft, hasEnded }) =>
      hasLeft && hasEnded && to !== evidence.variedAt
        ? [`The log had ${evidence.variedAt} events when the consumer left, and ${to} later.`]
        : [],
    ),
};

/** The laws that the replay breaks, a line each. */
export function brokenLaws(replay: Replay): string[] {
  return Object.entries(laws).flatMap(([law, faultsOf]) => faultsOf(replay).map((fault) => `law: ${law}. ${fault}`));
}

function isEnd(event: LogEvent): boolean {
  return event.type === "cancelled" || (event.type === "record" && event.kind === "run");
}

/** How many events of the log must be those of the base run. */
function sharedLength({ variation, played: { failed, evidence, recording } }: Replay): number {
  switch (variation.kind) {
    case "base":
      return recording.log.length;
    case "refuse":
    case "dead":
      return failed ? failed.from - 1 : recording.log.length;
    case "doubt":
      return failed?.to ?? recording.log.length;
    case "lost":
      // The append is repeated after a moment, so later events have later times.
      return failed?.to ?? recording.log.length;
    case "kill":
      return variation.at - 1;
    default:
      return evidence.variedAt ?? recording.log.length;
  }
}

/** The ids of the calls that had begun among the first events of a log. */
function begunBefore(log: readonly LogEvent[], length: number): string[] {
  return log
    .slice(0, length)
    .flatMap((event) => (event.type === "record" && event.kind === "started" ? [event.data.id] : []));
}

/** Results that do not fit their calls, and calls that something else than a result ends. */
function resultFaults(log: readonly LogEvent[], from: number): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  let started = new Set<string>();
  let finished = new Set<string>();
  for (const [index, event] of log.entries()) {
    const fault = (text: string) => index >= from && faults.push(`Event ${index + 1} ${text}.`);
    if (event.type === "call") open.push(event.id ?? "");
    if (event.type === "record" && event.kind === "started") started.add(event.data.id);
    if (event.type === "record" && event.kind === "finished") {
      if (!started.has(event.data.id)) fault(`says that ${event.data.id} has finished, which never started`);
      if (finished.has(event.data.id)) fault(`says that ${event.data.id} has finished, again`);
      finished.add(event.data.id);
    }
    if (event.type === "result") {
      const results: { status: string }[] = JSON.parse(event.content);
      const successes = results.filter(({ status }) => status === "success").length;
      const { tools_executed, success_count, failure_count } = event.payload;
      if (results.length !== open.length) fault(`has ${results.length} results for ${open.length} calls`);
      if (results.length === 0) fault("is a result of no calls");
      if (success_count !== successes || success_count + failure_count !== results.length) fault("counts wrong");
      if (tools_executed > open.filter((id) => started.has(id)).length) fault("counts bodies that never began");
      for (const [nth, { status }] of results.entries()) {
        if (status === "success" && !finished.has(open[nth] ?? ""))
          fault(`has a success of ${open[nth]}, which has not finished`);
      }
    }
    const isRefusal = event.type === "record" && event.kind === "rejected";
    if ((event.type === "user" || event.type === "cancelled") && open.length > 0)
      fault(`leaves ${open.length} calls open`);
    if (event.type === "record" && event.kind === "run" && open.length > 0) fault("ends the run with open calls");
    if (isRefusal || event.type === "user" || event.type === "cancelled" || event.type === "result") {
      open = [];
      started = new Set();
      finished = new Set();
    }
  }
  return faults;
}

/** The calls that may have taken effect by the log of the turn, compared with those that its result lists. */
function unknownFaults(log: readonly LogEvent[], { from, to, result }: PlayedTurn): string[] {
  const isUnknown = (content: unknown) => typeof content === "string" && content.includes("may have completed");
  const ended = new Set<string>();
  const expected = new Set<string>();
  for (const [index, event] of log.slice(0, to).entries()) {
    if (event.type === "record" && event.kind === "finished") {
      ended.add(event.data.id);
      if (index >= from && isUnknown(event.data.result.content)) expected.add(event.data.id);
    }
    if (event.type !== "result" || index < from) continue;
    for (const [nth, { content }] of (parseResults(event.content) ?? []).entries()) {
      const id = event.ids?.[nth] ?? "";
      // A call that had ended in an earlier turn was listed there.
      if (isUnknown(content) && !ended.has(id)) expected.add(id);
    }
  }
  const [listed, told] = [result.unknown?.map(({ id }) => id) ?? [], [...expected]].map((ids) => ids.toSorted().join());
  return listed === told ? [] : [`The result lists ${listed || "none"}, and the log has ${told || "none"}.`];
}

function endFaults({ variation, played: { evidence, failed } }: Replay, turn: PlayedTurn): string[] {
  const { result, from, to, thrown, hasLeft, isHung } = turn;
  const { status, stop, error } = result;
  // Known: the result does not say that the store hangs if the consumer has left.
  if (hasLeft && isHung) return [];
  const last = evidence.log.slice(0, to).at(-1);
  const end = last?.type === "record" ? last.kind : last?.type;
  const ending = last?.type === "record" && last.kind === "run" ? (last.data as typeof result) : undefined;
  if (thrown !== (status === "failed" ? error : undefined))
    return ["the iteration throws another error than the result has"];
  switch (status) {
    case "waiting":
      return ending ? [`the run waits, and its log says that it is ${ending.status}`] : [];
    case "completed":
      return ending?.status === "completed" ? [] : [`the run is completed, and its log ends with ${end}`];
    case "failed": {
      if (!error) return ["the run failed without an error"];
      // The store has kept the append, and said that it had not.
      if (variation.kind === "doubt" && failed && failed.to === to) return [];
      const ends = evidence.log.slice(from, to).filter(({ type }) => type === "cancelled").length;
      return ending && to > from
        ? ["the run failed, and its log says how it ended"]
        : ends
          ? ["the run failed, and its log says it was cancelled"]
          : [];
    }
    default: {
      if (error) return error.code === "not_stored" ? [] : [`the run has stopped with the error ${error.code}`];
      if (ending) {
        const isSame = ending.status === "stopped" && JSON.stringify(ending.stop) === JSON.stringify(stop);
        return isSame ? [] : [`the run has stopped (${stop?.reason}), and its log says ${JSON.stringify(ending)}`];
      }
      if (stop?.reason === "time_limit")
        return end === "cancelled" ? ["a deadline came, and the log says it was cancelled"] : [];
      // Nothing is stored in a conversation that had not begun.
      if (stop?.reason === "user_requested" && (end === "cancelled" || to === 0)) return [];
      return [`the run has stopped (${stop?.reason}${hasLeft ? ", left" : ""}), and its log ends with ${end}`];
    }
  }
}

function foundFaults(log: readonly LogEvent[]): string[] {
  const described = new Set<string>();
  return log.flatMap((event, index) => {
    if (event.type === "record" && event.kind === "tools_found") {
      const [result, words] = [log[index - 2], log[index - 1]];
      const isInPlace = result?.type === "result" && words?.type === "user" && words.origin === "notice";
      const again = event.data.names.filter((name) => described.has(name));
      for (const name of event.data.names) described.add(name);
      return [
        ...(isInPlace ? [] : [`The tools of event ${index + 1} are not described right after their result.`]),
        ...again.map((name) => `The tool ${name} is described twice.`),
      ];
    }
    if (event.type !== "result") return [];
    const next = log[index + 2];
    const now = next?.type === "record" && next.kind === "tools_found" ? next.data.names : [];
    const found = (parseResults(event.content) ?? []).flatMap(({ tool, content }) =>
      tool === "find_tools" && Array.isArray(content) ? (content as { name: string }[]) : [],
    );
    return found.flatMap(({ name }) =>
      described.has(name) || now.includes(name)
        ? []
        : [`Event ${index + 1} names the tool ${name}, which is not described.`],
    );
  });
}
