import { callOf, type LogEvent } from "@cogency/protocol";
import type { ProviderErrorCode } from "@cogency/provider";
import { canonicalJson } from "@cogency/tools/host";
import type { PlayedCall, PlayedStep } from "../play/played-step.ts";
import { ranCall, resultsOf } from "../play/played-turn.ts";
import type { RecordedTurn } from "./turns-of.ts";

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type Part = { think: string } | { text: string };

/** A step that is being read. `hasRequest`: the log holds the request that it answers. */
interface StepDraft {
  step: Mutable<PlayedStep>;
  parts: Part[];
  calls: PlayedCall[];
  hasRequest: boolean;
  isOver: boolean;
}

export interface ReadStep {
  readonly step: PlayedStep;
  readonly hasRequest: boolean;
}

/** What the model wrote in a turn, request by request, with what came of its calls anywhere in the log. */
export function stepsOf(turn: RecordedTurn, log: readonly LogEvent[], form: string): ReadStep[] {
  const drafts: StepDraft[] = [];
  const fresh = (hasRequest: boolean) => {
    const draft: StepDraft = { step: {}, parts: [], calls: [], hasRequest, isOver: false };
    drafts.push(draft);
    return draft;
  };
  const current = () => {
    const last = drafts.at(-1);
    return last && !last.isOver ? last : fresh(false);
  };
  const close = () => {
    const last = drafts.at(-1);
    if (last) last.isOver = true;
  };
  for (const [index, event] of turn.events.entries()) {
    if (event.type === "think") current().parts.push({ think: event.content });
    else if (event.type === "respond") current().parts.push({ text: event.content });
    else if (event.type === "call") current().calls.push(playedCall(event, log, turn));
    else if (event.type === "result") close();
    else if (event.type === "user" && event.origin === undefined && index > 0) {
      const last = drafts.at(-1);
      if (last) last.step.steer = event.content;
    } else if (event.type === "record") {
      if (event.kind === "request") fresh(true);
      else if (event.kind === "usage") close();
      else if (event.kind === "native") current().step.native = event.data.data;
      else if (event.kind === "rejected") {
        const { step } = current();
        step.refused = event.data.text ?? "";
        if (/cut off at the output limit/.test(event.data.message)) step.cut = true;
      }
    }
  }
  markEnd(turn, drafts, fresh);
  return drafts.map((draft) => ({ step: stepFrom(draft, form), hasRequest: draft.hasRequest }));
}

/** How the last answer of a turn broke off. */
function markEnd({ end, events }: RecordedTurn, drafts: StepDraft[], fresh: (hasRequest: boolean) => StepDraft): void {
  if (end?.status === "broken") {
    const last = drafts.at(-1);
    // A request that failed before the first word leaves no record.
    const isWhole = last === undefined || last.calls.length > 0;
    const draft = isWhole ? fresh(false) : last;
    draft.step.fails = codeOf(end.code);
  }
  const isCut = end?.status === "completed" && end.stop === "finish_reason";
  const last = drafts.at(-1);
  if (isCut && last) last.step.cut = true;
  const isCancelled = events.at(-1)?.type === "cancelled" && last && last.calls.length === 0;
  if (isCancelled) last.step.cancelled = true;
}

const known: readonly ProviderErrorCode[] = [
  "missing_key",
  "authentication",
  "permission",
  "not_found",
  "bad_request",
  "rate_limit",
  "overloaded",
  "server",
  "connection",
  "timeout",
  "cut_stream",
  "bad_response",
  "answer_too_large",
  "insecure",
  "unsupported",
];

function codeOf(code = "cut_stream"): ProviderErrorCode {
  return known.find((one) => one === code) ?? "server";
}

function stepFrom({ step, parts, calls }: StepDraft, form: string): PlayedStep {
  const isPlain =
    parts.length <= 2 && parts.every((part, index) => ("think" in part ? index === 0 : index === parts.length - 1));
  const said = isPlain ? Object.assign({}, ...parts) : { parts };
  const whole = { ...said, ...(calls.length > 0 && { calls }), ...step };
  // What `reactDriver` could not read is in no log; anything that is no decision stands for it.
  return form === "react" && Object.keys(whole).length === 0 ? { refused: "(no decision)" } : whole;
}

function playedCall(
  event: Extract<LogEvent, { type: "call" }>,
  log: readonly LogEvent[],
  turn: RecordedTurn,
): PlayedCall {
  const { name, args } = callOf(event);
  const id = event.id ?? "";
  const records = log.flatMap((one) => (one.type === "record" ? [one] : []));
  const hasBegun = records.some((one) => one.kind === "started" && one.data.id === id);
  const finished = records.find((one) => one.kind === "finished" && one.data.id === id);
  const result = hasBegun ? (finished?.kind === "finished" ? finished.data.result : resultsOf(log).get(id)) : undefined;
  const ran = ranCall(log, id).args;
  const question = records.findLast((one) => one.kind === "question" && one.data.call === id && !one.data.agents);
  const asked =
    question?.kind === "question" && question.data.asks === "answer" && !question.data.client
      ? question.data
      : undefined;
  const cancelled = turn.events.at(-1)?.type === "cancelled" && result?.content === `${name} was cancelled.`;
  const failed = result?.status === "failure" && !cancelled;
  return {
    name,
    args,
    ...(canonicalJson(ran) !== canonicalJson(args) && { ran }),
    ...(asked && { asks: { message: asked.message ?? "", ...(asked.schema && { schema: asked.schema }) } }),
    ...settledAtHand(id, turn.events),
    ...(cancelled && { cancelled }),
    ...(result?.status === "success" && { result: result.content }),
    ...(result?.attachments && { attachments: result.attachments }),
    ...(failed && { error: String(result.content) }),
  };
}

/** What a person at hand said to the questions of a call: it stands in the same turn, without a message. */
function settledAtHand(id: string, events: readonly LogEvent[]): Pick<PlayedCall, "approved" | "answered"> {
  const questions = new Set(
    events.flatMap((one) =>
      one.type === "record" && one.kind === "question" && one.data.call === id && !one.data.agents ? [one.data.id] : [],
    ),
  );
  for (const [index, event] of events.entries()) {
    if (event.type !== "record") continue;
    const before = events[index - 1];
    if (before?.type === "record" && before.kind === "message") continue;
    if (event.kind === "answer" && questions.has(event.data.question)) return { answered: event.data.content };
    if (event.kind !== "approval" || event.data.id !== id || !questions.has(event.data.question ?? "")) continue;
    const { status, reason } = event.data;
    if (status === "approved") return { approved: true };
    if (status === "denied") return { approved: reason === undefined ? false : { reason } };
  }
  return {};
}
