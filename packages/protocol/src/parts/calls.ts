import { callOf } from "../call-content.ts";
import type { CallDeltaEvent, CallEvent, ResultEvent } from "../events.ts";
import type { Json } from "../json.ts";
import { isResult, parseResultArray } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import type { Draft } from "./draft.ts";
import type { CallPart } from "./part.ts";
import { closeQuestions, isDenied } from "./questions.ts";
import { textOf } from "./untrusted.ts";

type Outcome = NonNullable<CallPart["outcome"]>;

/** Adds raw text to the arguments of a call that is being written. */
export function writeCall(draft: Draft, { id, index, name, content }: CallDeltaEvent): void {
  const announced = draft.openCalls().filter(({ call }) => call.announced);
  const found = announced.find(({ call }, i) =>
    call.id === undefined || id === undefined ? i === index : call.id === id,
  );
  const call =
    found?.call ?? ({ type: "call", name: "", text: "", state: "writing", announced: true, open: true } as const);
  if (call.state !== "writing") return;
  draft.replace(found?.at ?? draft.parts.length, found ? 1 : 0, {
    ...call,
    ...(typeof id === "string" && { id }),
    name: textOf(name) || call.name,
    text: call.text + textOf(content),
  });
}

/** Adds a call that is complete, in place of the one that was being written. */
export function addCall(draft: Draft, event: CallEvent, isStored: boolean): void {
  const { id } = event;
  const isSame = (call: CallPart) => call.id === undefined || id === undefined || call.id === id;
  const found = draft.openCalls().find(({ call }) => call.state === "writing" && isSame(call));
  draft.replace(found?.at ?? draft.parts.length, found ? 1 : 0, {
    type: "call",
    ...(typeof id === "string" && { id }),
    ...readCall(event.content),
    state: "pending",
    ...(!isStored && { announced: true }),
    open: true,
  });
}

/** The block of the announced calls is closed: they take effect. */
export function executeCalls(draft: Draft): void {
  removeCalls(draft, (call) => call.state === "writing");
  for (const { call, at } of draft.openCalls()) {
    const { announced, ...executed } = call;
    if (announced) draft.replace(at, 1, executed);
  }
}

/** Removes open calls with their questions. */
export function removeCalls(draft: Draft, isRemoved: (call: CallPart) => unknown): void {
  for (const { call, at } of draft.openCalls().reverse())
    if (isRemoved(call)) draft.replace(at, 1 + draft.questionsOf(at).length);
}

/** The body of a call begins, at a time in seconds. `ran` is the call that runs, where it is known to be another one. */
export function startCall(draft: Draft, id: unknown, started: number, ran?: Pick<CallPart, "name" | "args">): void {
  changeCall(draft, id, ({ args, ...call }) => ({
    ...call,
    ...(ran ?? (args && { args })),
    state: "running",
    started,
  }));
}

/** Keeps the latest progress of a call. */
export function progressCall(draft: Draft, id: unknown, progress: Json): void {
  changeCall(draft, id, (call) => ({ ...call, progress }));
}

/** The call has ended, after so many seconds if it had begun. It is settled by the results of its batch. */
export function endCall(
  draft: Draft,
  id: unknown,
  result: unknown,
  duration: (started: number) => number,
  outcome?: Outcome,
): void {
  if (!isResult(result)) return;
  changeCall(draft, id, (call, at) => ({
    ...ended(call, outcome ?? outcomeOf(result, call, draft, at), result),
    ...(call.started !== undefined && { duration: duration(call.started) }),
    ...(call.announced && { announced: true }),
    open: true,
  }));
}

/** Settles the open calls with the results of their batch: by id where both have one, else in order. */
export function settleCalls(draft: Draft, event: ResultEvent): void {
  const results = parseResultArray(textOf(event.content));
  const ids: readonly unknown[] | undefined = Array.isArray(event.ids) ? event.ids : undefined;
  draft.openCalls().forEach(({ call, at }, n) => {
    const index = !ids || call.id === undefined || ids[n] === call.id ? n : ids.indexOf(call.id);
    const { attachments } = call.result ?? {};
    const result = results?.[index];
    settle(draft, call, at, result && attachments ? { ...result, attachments } : result);
  });
}

/** Settles the open calls, which will have no result. */
export function abandonCalls(draft: Draft, outcome: Outcome): void {
  for (const { call, at } of draft.openCalls()) settle(draft, call, at, undefined, outcome);
}

function settle(draft: Draft, call: CallPart, at: number, result = call.result, fallback?: Outcome): void {
  draft.replace(at, 1, ended(call, outcomeOf(result, call, draft, at, fallback), result));
  closeQuestions(draft, at);
}

/** The call when it has ended, without what it has only before. */
function ended({ id, name, args, duration }: CallPart, outcome: Outcome, result: ToolResult | undefined): CallPart {
  return {
    type: "call",
    ...(id !== undefined && { id }),
    name,
    ...(args && { args }),
    state: "done",
    outcome,
    ...(result && { result }),
    ...(duration !== undefined && { duration }),
  };
}

/** How the call ended, where only its result says so: a failure may have a known cause. */
function outcomeOf(
  result: ToolResult | undefined,
  { outcome = "success" }: CallPart,
  draft: Draft,
  at: number,
  fallback: Outcome = "failure",
): Outcome {
  if (result?.status === "success") return "success";
  if (outcome !== "success") return outcome;
  return isDenied(draft, at) ? "denied" : fallback;
}

/** Changes the open call of this id that has not ended. */
function changeCall(draft: Draft, id: unknown, change: (call: CallPart, at: number) => CallPart): void {
  const found = draft.openCalls().find(({ call }) => call.id === id && call.state !== "done");
  if (found && id !== undefined) draft.replace(found.at, 1, change(found.call, found.at));
}

/** The call in the text; without arguments if the text is none. */
export function readCall(content: unknown): Pick<CallPart, "name" | "args"> {
  try {
    const { name, args } = callOf({ content: textOf(content) });
    return { name, args };
  } catch {
    return { name: "unreadable" };
  }
}
