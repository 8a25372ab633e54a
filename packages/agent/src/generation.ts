import { type AgentEvent, callOf, createSettler, isPersisted, type LogEvent } from "@cogency/protocol";
import type { Batch } from "@cogency/tools";
import type { StepEvent } from "./driver.ts";
import { type RunError, runErrorOf, withLater } from "./errors.ts";
import { addToReport, noReport, type Report } from "./report.ts";
import type { RunContext } from "./run-context.ts";

/** What has come of a generation so far. */
export interface Written {
  /** Units of text for the user. */
  answer: string[];
  calls: number;
  hasExecuted: boolean;
  hasEnded: boolean;
  /** The block that was refused, if one was. */
  refused: (StepEvent & { type: "refused" }) | undefined;
  /** Aborts where the generation is stopped by who reads it. */
  stopped: AbortController;
  report: Report;
}

export function nothingWritten(): Written {
  const stopped = new AbortController();
  return { answer: [], calls: 0, hasExecuted: false, hasEnded: false, refused: undefined, stopped, report: noReport() };
}

/**
 * Read a generation up to its `execute` or its end into `written`, and pass on its events, all but those that were
 * stored last: they are returned, so that the batch can begin before anybody asks for them. What has settled is stored
 * before anyone sees it; calls are announced to the batch.
 *
 * @throws RunError `provider`, `driver` or `store`; what was said until then is stored and passed on
 */
export async function* readGeneration(
  context: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  written: Written,
): AsyncGenerator<AgentEvent, AgentEvent[]> {
  const { settings, log, stream, signal } = context;
  const { clock } = settings;
  const settler = createSettler();
  /** Stores what has settled; returns what the consumer is to see of it. */
  const keep = async (settled: AgentEvent[], piece?: AgentEvent): Promise<AgentEvent[]> => {
    for (const event of settled) {
      if (event.type !== "respond") continue;
      written.answer.push(event.content);
      context.said = answerOf(written);
    }
    await log.append(settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type)));
    if (stream !== "token") return settled;
    return piece ? [piece] : [];
  };

  let failure: RunError | undefined;
  try {
    for (;;) {
      const next = await generation.next().catch((error) => {
        failure = runErrorOf(error, "driver");
      });
      if (!next || next.done) break;
      const event = tooMany(next.value, context, written);
      // What comes after a block that was refused belongs to nothing.
      if (written.refused && !isReport(event)) continue;
      let seen: AgentEvent;
      switch (event.type) {
        case "usage":
        case "finish":
          addToReport(written.report, event);
          continue;
        case "record":
          await log.append([event]);
          continue;
        case "refused":
          // A block that broke off because the run was cancelled is nobody's mistake.
          if (signal.aborted) continue;
          seen = event.error;
          written.refused = event;
          // It remembers a block that the log does not hold.
          context.session?.forget();
          // At once: whoever reads the events takes the time they like.
          await batch.discard();
          break;
        case "call":
          seen = { ...event, id: batch.add(callOf(event)).id };
          written.calls++;
          break;
        default:
          seen = event;
          if (event.type === "execute") written.hasExecuted = true;
          if (event.type === "end") written.hasEnded = true;
      }
      const visible = await keep(settler.write(seen), seen);
      if (event.type === "refused") await log.append([rejection(event, clock())]);
      if (written.hasExecuted) return visible;
      yield* visible;
    }
    const visible = await keep(settler.end()).catch((error) => {
      throw failure ? withLater(failure, error) : error;
    });
    if (!failure) return visible;
    yield* visible;
  } finally {
    // The consumer left in the middle of a unit: what was said so far is kept.
    await keep(settler.end());
  }
  throw failure;
}

/** A call above the limit makes its block one that is refused, and nobody reads what the model still writes of it. */
function tooMany(event: StepEvent, { settings: { maxCalls } }: RunContext, { calls, stopped }: Written): StepEvent {
  if (event.type !== "call" || calls < maxCalls) return event;
  stopped.abort();
  const content = `The block held more than ${maxCalls} calls, so none of them ran. Write fewer calls in one block.`;
  return {
    type: "refused",
    error: { type: "error", code: "too_many_calls", content, timestamp: event.timestamp },
    text: "",
  };
}

function isReport({ type }: StepEvent): boolean {
  return type === "usage" || type === "finish";
}

/** The text for the user. */
export function answerOf({ answer }: Written): string {
  return answer.join("\n\n");
}

function rejection({ error, text }: StepEvent & { type: "refused" }, timestamp: number): LogEvent {
  const { code, content: message, position } = error;
  const data = { code, message, text, ...(position === undefined ? {} : { position }) };
  return { type: "record", kind: "rejected", data, timestamp };
}
