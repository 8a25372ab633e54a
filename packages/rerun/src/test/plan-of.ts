import type { LogEvent } from "@cogency/protocol";
import { type PlayedTurn, turnIn } from "../play/played-turn.ts";
import { packRequests, type RecordedRequest } from "../play/recorded-request.ts";
import { agentOf, notRecorded } from "./agent-of.ts";
import { type FoundRequest, requestsOf } from "./requests-of.ts";
import { type ReadStep, stepsOf } from "./steps-of.ts";
import type { TestPlan, TurnPlan } from "./test-plan.ts";
import { endOfRefused, type RecordedTurn, turnsOf } from "./turns-of.ts";
import { UnwritableTestError } from "./unwritable.ts";

export interface PlanOptions {
  /** Whether the test has the agent of somebody, in place of one that is made from the log. */
  readonly hasAgent: boolean;
  /** Whether the tools of that agent run. */
  readonly runsTools: boolean;
  /** How many turns the test has. Absent: all. */
  readonly turns: number | undefined;
}

/**
 * Reads off a log what its test says.
 *
 * @throws UnwritableTestError
 */
export function planOf(whole: readonly LogEvent[], { hasAgent, runsTools, turns: wanted }: PlanOptions): TestPlan {
  const all = turnsOf(whole);
  const turns = wanted === undefined ? all : all.slice(0, wanted);
  const next = all[turns.length];
  const log = next ? whole.slice(0, next.from) : whole;
  checkTurns(turns);
  const requests = requestsOf(log);
  if (requests.length === 0 && !hasAgent) throw new UnwritableTestError("not_recorded", notRecorded);
  if (hasAgent && !runsTools) refuseAsking(log);
  const writes = formOf(requests, log);
  const read = turns.map((turn) => stepsOf(turn, log, writes));
  const [first] = requests;
  const sent = first && alignedWith(read.flat(), requests);
  return {
    title: titleOf(turns),
    writes,
    provider: first?.provider ?? "scripted",
    model: first?.model ?? "scripted-1",
    ...(sent && { requests: packRequests(sent) }),
    ...(!hasAgent && { agent: agentOf(requests, log) }),
    turns: turns.map((turn, index): TurnPlan => {
      const to = turns[index + 1]?.from ?? log.length;
      const seen = log.slice(0, to);
      return {
        inputs: turn.inputs,
        steps: (read[index] as ReadStep[]).map(({ step }) => step),
        expected: { ...endOf(turn, seen), ...turnIn(seen, turn.from, runsTools) },
      };
    }),
  };
}

/** @throws UnwritableTestError where a turn has no end */
function checkTurns(turns: readonly RecordedTurn[]): void {
  if (turns.length === 0) {
    throw new UnwritableTestError(
      "no_turn",
      "Nobody has said anything in this conversation yet, so it cannot be a test.",
    );
  }
  for (const [index, turn] of turns.entries()) {
    turn.end ??= endOfRefused(turn.events);
    const number = index + 1;
    const rest =
      index === 0
        ? "It is the first one, so there is nothing to test."
        : `Write a test of the turns before it: --turns ${index}`;
    if (turn.events.slice(1).some(isFromOutside)) {
      throw new UnwritableTestError(
        "notice_inside",
        `Something outside said something in the middle of turn ${number}, at a moment that a test cannot repeat. ${rest}`,
        number,
      );
    }
    if (turn.end) continue;
    throw new UnwritableTestError(
      "turn_without_end",
      `Turn ${number} has no end: its process was killed, or it still runs. ${rest}`,
      number,
    );
  }
}

function isFromOutside(event: LogEvent): boolean {
  return event.type === "user" && event.sources !== undefined;
}

function refuseAsking(log: readonly LogEvent[]): void {
  const asking = log.find(
    (event) =>
      event.type === "record" &&
      event.kind === "question" &&
      event.data.asks === "answer" &&
      !event.data.client &&
      !event.data.agents,
  );
  if (asking?.type !== "record" || asking.kind !== "question") return;
  throw new UnwritableTestError(
    "agent_not_in_log",
    `The tool ${asking.data.name} asks the person itself, so its own code has to run: write the test with --run-tools, or without --agent.`,
  );
}

function formOf(requests: readonly FoundRequest[], log: readonly LogEvent[]): TestPlan["writes"] {
  const [first] = requests;
  if (first?.driver === "scripted") return "scripted";
  const hasNative = log.some((event) => event.type === "record" && event.kind === "native");
  return requests.find(({ form }) => form !== undefined)?.form ?? (hasNative ? "native" : "json");
}

/** One request for each step: one that failed before its first word is in no log. */
function alignedWith(steps: readonly ReadStep[], requests: readonly FoundRequest[]): RecordedRequest[] {
  let next = 0;
  return steps.map(({ hasRequest }) => {
    const {
      at: _,
      form: __,
      provider: ___,
      model: ____,
      ...request
    } = (hasRequest && requests[next++]) || ({} as FoundRequest);
    return request;
  });
}

function endOf(
  { end }: RecordedTurn,
  log: readonly LogEvent[],
): Pick<PlayedTurn, "status" | "stop" | "error" | "object"> {
  if (!end || end.status === "broken") return { status: "failed", error: "provider" };
  if (end.status === "waiting") return { status: "waiting" };
  const object = end.status === "completed" ? objectIn(log) : undefined;
  return { ...end, ...(object !== undefined && { object }) };
}

/** The object of a turn that asked for one. */
function objectIn(log: readonly LogEvent[]): unknown {
  const prompt = log.findLastIndex(
    (event) => event.type === "user" && (event.origin === undefined || event.origin === "untrusted"),
  );
  const isWanted = log.slice(prompt).some((event) => event.type === "record" && event.kind === "object");
  if (!isWanted) return undefined;
  const answer = log.findLast((event) => event.type === "respond");
  try {
    return JSON.parse(answer?.type === "respond" ? answer.content : "");
  } catch {
    return undefined;
  }
}

/** A sentence that begins with what the agent does. */
function titleOf([first]: readonly RecordedTurn[]): string {
  const [input] = first?.inputs ?? [];
  const text =
    typeof input === "string"
      ? input
      : input && "text" in input
        ? input.text
        : input && "notice" in input
          ? input.notice
          : "";
  const line = text.trim().split(/\s+/).join(" ");
  const short = line.length > 80 ? `${line.slice(0, 80).replace(/\s\S*$/, "")} …` : line;
  const verb =
    first?.end?.status === "waiting"
      ? "asks first"
      : first?.end?.status === "failed" || first?.end?.status === "broken"
        ? "fails at"
        : "answers";
  return `${verb}: ${short === "" ? "a prompt without words" : short}`;
}
