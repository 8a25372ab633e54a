import { type AgentEvent, callOf, createSettler, isPersisted, type LogEvent } from "@cogency/protocol";
import type { Batch } from "@cogency/tools";
import type { StepEvent } from "../drivers/driver.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { addToTrailer, emptyTrailer, type Trailer } from "./trailer.ts";

/** What a generation has given so far. */
export interface GenerationState {
  /** Units of text for the user. */
  answer: string[];
  calls: number;
  hasExecuted: boolean;
  hasEnded: boolean;
  /** The block that was refused. */
  refused: (StepEvent & { type: "refused" }) | undefined;
  /** Aborts when the reader stops the generation. */
  stopped: AbortController;
  trailer: Trailer;
}

export function emptyGeneration(): GenerationState {
  const stopped = new AbortController();
  return {
    answer: [],
    calls: 0,
    hasExecuted: false,
    hasEnded: false,
    refused: undefined,
    stopped,
    trailer: emptyTrailer(),
  };
}

/**
 * Reads a generation up to its `execute` or its end into `state`, and yields its events. The last ones are returned, not
 * yielded, so that the batch can begin before the consumer asks for them. Adds each call to the batch.
 *
 * INVARIANT: a settled event is stored before it is yielded or returned. In the token view, the pieces of a unit are yielded
 * before the unit has settled.
 * @throws RunError `provider`, `driver` or `store`, after the text that came before is stored and yielded
 */
export async function* readGeneration(
  context: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  state: GenerationState,
): AsyncGenerator<AgentEvent, AgentEvent[]> {
  const { settings, log, stream, signal } = context;
  const { clock } = settings;
  const settler = createSettler();
  /** Stores the settled events; returns the events that the consumer sees. */
  const keep = async (settled: AgentEvent[], piece?: AgentEvent): Promise<AgentEvent[]> => {
    for (const event of settled) {
      if (event.type !== "respond") continue;
      state.answer.push(event.content);
      context.lastText = answerOf(state);
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
      const event = tooMany(next.value, context, state);
      // Text and calls after a refused block are ignored.
      if (state.refused && !isTrailer(event)) continue;
      let seen: AgentEvent;
      switch (event.type) {
        case "usage":
        case "finish":
          addToTrailer(state.trailer, event);
          continue;
        case "record":
          await log.append([event]);
          continue;
        case "refused":
          // The block broke off because the run was cancelled: the model did nothing wrong.
          if (signal.aborted) continue;
          seen = event.error;
          state.refused = event;
          // The session remembers a block that the log does not hold.
          context.session?.forget();
          // At once: a slow consumer must not keep calls running.
          await batch.discard();
          break;
        case "call":
          seen = { ...event, id: batch.add(callOf(event)).id };
          state.calls++;
          break;
        default:
          seen = event;
          if (event.type === "execute") state.hasExecuted = true;
          if (event.type === "end") state.hasEnded = true;
      }
      const visible = await keep(settler.write(seen), seen);
      if (event.type === "refused") await log.append([rejection(event, clock())]);
      if (state.hasExecuted) return visible;
      yield* visible;
    }
    const visible = await keep(settler.end()).catch((error) => {
      throw failure ? withLater(failure, error) : error;
    });
    if (!failure) return visible;
    yield* visible;
  } finally {
    // The consumer left in the middle of a unit: its text so far is stored.
    await keep(settler.end());
  }
  throw failure;
}

/** Replaces a call above the limit by the refusal of its block, and stops the generation. */
function tooMany(
  event: StepEvent,
  { settings: { maxCalls } }: RunContext,
  { calls, stopped }: GenerationState,
): StepEvent {
  if (event.type !== "call" || calls < maxCalls) return event;
  stopped.abort();
  const content = `The block held more than ${maxCalls} calls, so none of them ran. Write fewer calls in one block.`;
  return {
    type: "refused",
    error: { type: "error", code: "too_many_calls", content, timestamp: event.timestamp },
    text: "",
  };
}

function isTrailer({ type }: StepEvent): boolean {
  return type === "usage" || type === "finish";
}

/** The text for the user. */
export function answerOf({ answer }: GenerationState): string {
  return answer.join("\n\n");
}

function rejection({ error, text }: StepEvent & { type: "refused" }, timestamp: number): LogEvent {
  const { code, content: message, position } = error;
  const data = { code, message, text, ...(position === undefined ? {} : { position }) };
  return { type: "record", kind: "rejected", data, timestamp };
}
