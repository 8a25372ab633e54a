import fc from "fast-check";
import type { ActivityEvent, RunEvent } from "../src/activity.ts";
import { callOf } from "../src/call-content.ts";
import type { AgentEvent, CallEvent, LogEvent, Persisted, RecordContent } from "../src/events.ts";
import { isPersisted } from "../src/events.ts";
import type { JsonObject } from "../src/json.ts";
import { createParser } from "../src/parse/parser.ts";
import { createSettler } from "../src/parse/settle.ts";
import type { ToolResult } from "../src/tool.ts";
import { cut, texts } from "./arbitraries.ts";

/** One conversation as its consumers saw it, and as its log holds it. */
export interface Played {
  live: RunEvent[];
  log: (LogEvent & { seq: number })[];
}

/** What becomes of one call. */
interface CallPlan {
  /** `policy` denies without a question. */
  approval: "none" | "approved" | "denied" | "policy";
  /** Questions of approval as earlier versions wrote them: a record `approval` that is `asked`, without a name. */
  isOld: boolean;
  /** A hook makes another call of it. */
  isChanged: boolean;
  /** The body asks a person. */
  asks: boolean;
  /** The client is asked. */
  isOfClient: boolean;
  end: "success" | "failure" | "blocked" | "skipped" | "cancelled" | "lost";
}

interface StepPlan {
  chunks: string[];
  dialect: "json" | "xml";
  calls: CallPlan[];
  /** Deltas and results carry ids. */
  hasIds: boolean;
  /** The first call begins before its block closes. */
  isEarly: boolean;
  /** Takes the next thing that happens to a call from this one, so that calls run side by side. */
  order: number[];
  /** After so many of these things the process dies, or the run waits. */
  gap: { after: number; as: "crash" | "waiting" | "cancel" | "none" };
  /** The generation is broken off before this chunk. */
  brokenAt: number;
  broken: "no" | "cancel" | "failure" | "deadline";
  next: "nothing" | "steer" | "retry" | "nudge";
}

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  approval: fc.constantFrom("none", "none", "approved", "denied", "policy"),
  isOld: fc.boolean(),
  isChanged: fc.boolean(),
  asks: fc.boolean(),
  isOfClient: fc.boolean(),
  end: fc.constantFrom("success", "success", "failure", "blocked", "skipped", "cancelled", "lost"),
});

const stepPlan: fc.Arbitrary<StepPlan> = fc.constantFrom("json" as const, "xml" as const).chain((dialect) =>
  fc
    .oneof(texts[dialect].block, texts[dialect].any, fc.constant(callBlocks[dialect]))
    .chain(cut)
    .chain((chunks) =>
      fc.record({
        chunks: fc.constant(chunks),
        dialect: fc.constant(dialect),
        calls: fc.array(callPlan, { minLength: 1, maxLength: 3 }),
        hasIds: fc.boolean(),
        isEarly: fc.boolean(),
        order: fc.array(fc.nat(2), { minLength: 1, maxLength: 20 }),
        gap: fc.record({
          after: fc.nat(12),
          as: fc.constantFrom(
            "none" as const,
            "none" as const,
            "crash" as const,
            "waiting" as const,
            "cancel" as const,
          ),
        }),
        brokenAt: fc.nat(6),
        broken: fc.constantFrom(
          "no" as const,
          "no" as const,
          "no" as const,
          "cancel" as const,
          "failure" as const,
          "deadline" as const,
        ),
        next: fc.constantFrom("nothing" as const, "steer" as const, "retry" as const, "nudge" as const),
      }),
    ),
);

const callBlocks = {
  json: 'Text.<think>Why.</think>More.<execute>[{"name":"a","args":{"x":"y"}},{"name":"b","args":{}},{"name":"a","args":{"n":1}}]</execute>',
  xml: "Text.<think>Why.</think>More.<execute><a><x>y</x></a><b></b><a><n>1</n></a></execute>",
};

/** A conversation of several steps, in either view, with everything that may happen to it. */
export const played: fc.Arbitrary<Played> = fc
  .record({
    steps: fc.array(stepPlan, { minLength: 1, maxLength: 4 }),
    stream: fc.constantFrom("token" as const, "event" as const),
    end: fc.constantFrom("completed" as const, "stopped" as const, "failed" as const, "given up" as const),
  })
  .map(({ steps, stream, end }) => play(steps, stream, end));

function play(
  steps: readonly StepPlan[],
  stream: "token" | "event",
  end: "completed" | "stopped" | "failed" | "given up",
): Played {
  const live: RunEvent[] = [];
  const log: Played["log"] = [];
  let timestamp = 1000;
  let questions = 0;
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const measure = { ...usage, duration: 1 };

  type Untimed<E> = E extends unknown ? Omit<E, "timestamp"> : never;
  const show = (event: Untimed<AgentEvent | ActivityEvent>) => {
    timestamp += 0.25;
    const run = { id: "r", conversation: "c", step: 1, order: live.length + 1 };
    live.push({ timestamp, ...event, run } as RunEvent);
  };
  const store = (event: Untimed<LogEvent>) => {
    timestamp += 0.25;
    log.push({ timestamp, ...event, seq: log.length + 1 } as Played["log"][number]);
  };
  const record = (content: RecordContent) => store({ type: "record", ...content } as Untimed<LogEvent>);
  const both = (event: Persisted<AgentEvent>) => {
    store(event);
    show(event);
  };
  const user = (content: string, origin?: "nudge" | "recovery") =>
    both({ type: "user", content, ...(origin && { origin }), timestamp });
  const begin = (mode: "run" | "recover") =>
    show({ type: "run_started", mode, driver: "d", provider: "p", model: "m", after: log.length });
  const finish = (status: "completed" | "stopped" | "failed" | "waiting", reason?: string) => {
    const stop = reason === undefined ? {} : { stop: { reason, message: `because of ${reason}` } };
    const error = status === "failed" ? { error: { code: "provider", message: "no answer" } } : {};
    show({ type: "run_ended", status, ...stop, ...error, usage });
  };

  function cancel(): void {
    show({ type: "interrupt" });
    both({ type: "cancelled", timestamp });
    finish("stopped", "user_requested");
    begin("run");
    user("again");
  }

  /** One generation. Returns the calls that take effect; undefined if the run was broken off. */
  function generate(plan: StepPlan, step: number): CallEvent[] | undefined {
    const parser = createParser({ dialect: plan.dialect, callDeltas: true, clock: () => timestamp });
    const settler = createSettler();
    const calls: CallEvent[] = [];
    let index = 0;
    let refused = "";
    const settle = (events: AgentEvent[]) => {
      for (const event of events) {
        if (isPersisted(event)) store(event);
        if (event.type === "call") calls.push(event);
        if (event.type === "error") {
          refused = event.code;
          record({ kind: "rejected", data: { code: event.code, message: event.content } });
        }
        if (stream === "event") show(event);
      }
    };
    const read = (event: AgentEvent) => {
      const id = `c${step}_${event.type === "call_delta" ? event.index : index}`;
      const named = event.type === "call" || (event.type === "call_delta" && plan.hasIds) ? { ...event, id } : event;
      if (stream === "token") show(named);
      settle(settler.write(named));
      if (event.type !== "call") return;
      index++;
      if (plan.isEarly && index === 1 && stream === "token") {
        record({ kind: "started", data: { id } });
        show({ type: "tool_started", id, ...callOf(event) });
        show({ type: "tool_progress", id, name: "a", update: "early" });
      }
    };
    show({ type: "request_started", provider: "p", model: "m", tokens: 1, stream: true });
    for (const [i, chunk] of plan.chunks.entries()) {
      if (i === plan.brokenAt && plan.broken !== "no" && !parser.done) {
        settle(settler.end());
        if (plan.broken === "cancel") cancel();
        else {
          if (plan.broken === "deadline") show({ type: "interrupt" });
          finish(
            plan.broken === "deadline" ? "stopped" : "failed",
            plan.broken === "deadline" ? "time_limit" : undefined,
          );
          begin("recover");
          user("Continue.", "recovery");
        }
        return undefined;
      }
      for (const event of parser.write(chunk)) read(event);
    }
    for (const event of parser.end()) read(event);
    settle(settler.end());
    show({ type: "metric", step: measure, total: measure });
    record({ kind: "usage", data: measure });
    return refused === "" ? calls : [];
  }

  /** Runs the calls, and stores their results. Returns whether the run was cancelled meanwhile. */
  function runCalls(plan: StepPlan, calls: readonly CallEvent[]): boolean {
    const results: ToolResult[] = calls.map(({ content }) => ({
      tool: callOf({ content }).name,
      status: "failure",
      content: "outcome unknown",
    }));
    const things = calls.map((call, i) => callThings(plan.calls[i % plan.calls.length] as CallPlan, call, i));
    let isCancelled = false;
    for (let done = 0; things.some((left) => left.length > 0) && !isCancelled; done++) {
      const open = things.filter((left) => left.length > 0);
      open[(plan.order[done % plan.order.length] as number) % open.length]?.shift()?.();
      if (done !== plan.gap.after) continue;
      if (plan.gap.as === "waiting") finish("waiting");
      if (plan.gap.as === "waiting" || plan.gap.as === "crash") begin("recover");
      isCancelled = plan.gap.as === "cancel";
    }
    const payload = { tools_executed: 1, success_count: 1, failure_count: 0 };
    const ids = plan.hasIds ? { ids: calls.map(({ id }) => id as string) } : {};
    both({ type: "result", content: JSON.stringify(results), payload, ...ids, timestamp });
    if (isCancelled) cancel();
    return isCancelled;

    /** What happens to one call, one thing after another. */
    function callThings(fate: CallPlan, event: CallEvent, i: number): (() => void)[] {
      const call = callOf(event) as { name: string; args: JsonObject; id: string };
      const { id, name } = call;
      const args = fate.isChanged ? { changed: true } : call.args;
      const things: (() => void)[] = [];
      const question = `q${questions++}`;
      const ends = (outcome: "success" | "failure" | "blocked" | "denied" | "cancelled" | "skipped") => () => {
        const result: ToolResult = {
          tool: name,
          status: outcome === "success" ? "success" : "failure",
          content: outcome,
        };
        results[i] = result;
        if (outcome === "success" || outcome === "failure") {
          record({ kind: "finished", data: { id, result: { ...result, content: `${outcome}, not shortened` } } });
        }
        show({ type: "tool_ended", id, name, args: {}, started: true, outcome, result, duration: 0.125 });
      };
      const asked = { id, name, hash: "h" };
      const concerns = [{ kind: "content", why: "it is untrusted" }];
      if (fate.approval === "approved" || fate.approval === "denied") {
        const { approval } = fate;
        things.push(() => {
          const shown = fate.isOld ? { concerns: [], touches: [] } : { concerns, touches: ["file:/a"] };
          if (fate.isOld) record({ kind: "approval", data: { ...asked, status: "asked", question } });
          else {
            const ran = fate.isChanged ? { args } : {};
            record({
              kind: "question",
              data: { ...asked, id: question, call: id, asks: "approval", ...ran, ...shown },
            });
          }
          // Logs of earlier versions do not have the arguments that a hook made.
          show({ type: "approval_requested", question, ...asked, args: fate.isOld ? call.args : args, ...shown });
        });
        things.push(() => {
          record({ kind: "approval", data: { ...asked, status: approval, question, reason: "so" } });
          show({ type: "approval_settled", question, id, decision: approval, reason: "so" });
        });
        if (approval === "denied") return [...things, ends("denied")];
      }
      if (fate.approval === "policy") return [...things, ends("denied")];
      if (fate.end === "blocked" || fate.end === "skipped") return [...things, ends(fate.end)];
      things.push(() => {
        const ran = fate.isChanged ? { call: JSON.stringify({ name, args }) } : {};
        record({ kind: "started", data: { id, ...ran } });
        show({ type: "tool_started", id, name, args });
      });
      things.push(() => show({ type: "tool_progress", id, name, update: { done: 1 } }));
      if (fate.asks) {
        const asks = `${question}a`;
        const more = {
          message: "Which?",
          schema: { type: "string" },
          ...(fate.isOfClient && { client: true as const }),
        };
        things.push(() => {
          record({
            kind: "question",
            data: { ...asked, id: asks, call: id, asks: "answer", ...more },
          });
          show({ type: "question_asked", question: asks, id, name, ...more });
        });
        things.push(() => {
          record({ kind: "answer", data: { question: asks, content: ["this"] } });
          show({ type: "question_answered", question: asks, id, content: ["this"], by: "ann" });
        });
      }
      return fate.end === "lost" ? things : [...things, ends(fate.end)];
    }
  }

  begin("run");
  record({ kind: "origin", data: { proof: { key: "k", mac: "0" } } });
  user("go");
  steps.forEach((plan, step) => {
    show({ type: "step_started" });
    const calls = generate(plan, step);
    if (!calls) return;
    if (calls.length > 0 && runCalls(plan, calls)) return;
    if (plan.next === "retry") show({ type: "error", code: "provider_retry", content: "again" });
    if (plan.next === "nudge") {
      show({ type: "error", code: "empty_turn", content: "nothing" });
      user("nothing", "nudge");
    }
    if (plan.next === "steer") {
      record({ kind: "message", data: { id: `m${step}`, kind: "steer" } });
      user("rather so");
      show({ type: "message_received", id: `m${step}`, kind: "steer" });
    }
  });
  const stop = { reason: "steps_limit", message: "because of steps_limit" };
  if (end === "completed") record({ kind: "run", data: { status: "completed" } });
  if (end === "stopped") record({ kind: "run", data: { status: "stopped", stop: { ...stop, context: {} } } });
  finish(end === "given up" ? "failed" : end, end === "stopped" ? "steps_limit" : undefined);
  if (end === "given up") {
    record({ kind: "run", data: { status: "failed", error: { code: "provider", message: "no answer" } } });
  }
  return { live, log };
}
