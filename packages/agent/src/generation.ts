import { type AgentEvent, callOf, createSettler, isPersisted, type LogEvent } from "@cogency/protocol";
import type { Batch } from "@cogency/tools";
import type { StepEvent } from "./driver.ts";
import { runErrorOf } from "./errors.ts";
import { noReport, type Report, reported } from "./report.ts";
import type { RunContext } from "./run-context.ts";

/** What came of a generation. */
export interface Written {
  /** Units of text for the user. */
  answer: string[];
  calls: number;
  hasExecuted: boolean;
  hasEnded: boolean;
  /** Why a block was refused, if one was. */
  problem: string | undefined;
  report: Report;
}

/**
 * Read a generation up to its `execute` or its end, and pass on its events. What has settled is stored before anyone
 * sees it; calls are announced to the batch.
 *
 * @throws RunError `provider`, `driver` or `store`; what was said until then is stored
 */
export async function* readGeneration(
  { settings: { clock }, log, stream, signal }: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
): AsyncGenerator<AgentEvent, Written> {
  const written: Written = {
    answer: [],
    calls: 0,
    hasExecuted: false,
    hasEnded: false,
    problem: undefined,
    report: noReport,
  };
  const settler = createSettler();
  const keep = async (settled: AgentEvent[]): Promise<AgentEvent[]> => {
    await log.append(settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type)));
    for (const event of settled) if (event.type === "respond") written.answer.push(event.content);
    return settled;
  };

  try {
    while (!written.hasExecuted) {
      const next = await generation.next().catch((error) => {
        throw runErrorOf(error, isProviderError(error) ? "provider" : "driver");
      });
      if (next.done) break;
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
          written.problem = event.error.content;
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
      const settled = await keep(settler.write(seen));
      if (event.type === "refused") await log.append([rejection(event, clock())]);
      if (stream === "token") yield seen;
      else yield* settled;
    }
    const settled = await keep(settler.end());
    if (stream !== "token") yield* settled;
    return written;
  } finally {
    // Also when the consumer left or the driver failed: what was said so far is kept.
    await keep(settler.end());
  }
}

function rejection({ error, text }: StepEvent & { type: "refused" }, timestamp: number): LogEvent {
  const { code, content: message, position } = error;
  const data = { code, message, text, ...(position === undefined ? {} : { position }) };
  return { type: "record", kind: "rejected", data, timestamp };
}

function isProviderError(error: unknown): boolean {
  return error instanceof Error && error.name === "ProviderError";
}
