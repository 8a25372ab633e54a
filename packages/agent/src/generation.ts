import { type AgentEvent, callOf, createSettler, isPersisted, type LogEvent } from "@cogency/protocol";
import type { Batch } from "@cogency/tools";
import type { StepEvent } from "./driver.ts";
import { runErrorOf } from "./errors.ts";
import { noReport, type Report, reported } from "./report.ts";
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
  report: Report;
}

export function nothingWritten(): Written {
  return { answer: [], calls: 0, hasExecuted: false, hasEnded: false, refused: undefined, report: noReport };
}

/**
 * Read a generation up to its `execute` or its end into `written`, and pass on its events. What has settled is stored
 * before anyone sees it; calls are announced to the batch.
 *
 * @throws RunError `provider`, `driver` or `store`; what was said until then is stored and passed on
 */
export async function* readGeneration(
  { settings: { clock }, log, stream, signal }: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  written: Written,
): AsyncGenerator<AgentEvent, void> {
  const settler = createSettler();
  /** Stores what has settled; returns what the consumer is to see of it. */
  const keep = async (settled: AgentEvent[], piece?: AgentEvent): Promise<AgentEvent[]> => {
    await log.append(settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type)));
    for (const event of settled) if (event.type === "respond") written.answer.push(event.content);
    if (stream !== "token") return settled;
    return piece ? [piece] : [];
  };

  let failure: unknown;
  try {
    while (!written.hasExecuted) {
      const next = await generation.next().catch((error) => {
        failure = runErrorOf(error, "driver");
      });
      if (!next || next.done) break;
      const event = next.value;
      let seen: AgentEvent;
      switch (event.type) {
        case "usage":
        case "finish":
          written.report = reported(written.report, event);
          continue;
        case "record":
          await log.append([event]);
          continue;
        case "refused":
          // A block that broke off because the run was cancelled is nobody's mistake.
          if (signal.aborted) continue;
          seen = event.error;
          written.refused = event;
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
      yield* visible;
    }
    yield* await keep(settler.end());
  } finally {
    // The consumer left in the middle of a unit: what was said so far is kept.
    await keep(settler.end());
  }
  if (failure) throw failure;
}

function rejection({ error, text }: StepEvent & { type: "refused" }, timestamp: number): LogEvent {
  const { code, content: message, position } = error;
  const data = { code, message, text, ...(position === undefined ? {} : { position }) };
  return { type: "record", kind: "rejected", data, timestamp };
}
