import type { TurnItem } from "@cogency/server/bridge";
import type { AgUiEvent } from "../ag-ui-event.ts";
import type { AgUiRun } from "../out/ag-ui-run.ts";

/** Gives an error to `onError` of the host. */
export type Tell = (error: unknown) => void;

/**
 * A run as server-sent events. Those that end with a stored event have its number, from which a reader goes on that has lost the stream.
 *
 * @param tell hears what broke the run off. The stream ends as it should all the same, so that its client reads why.
 */
export async function* framesOf(
  run: AgUiRun,
  begin: { events: readonly AgUiEvent[]; seq: number },
  items: AsyncIterable<TurnItem>,
  tell: Tell,
): AsyncGenerator<string> {
  yield* framesWith(begin.events, begin.seq);
  try {
    for await (const item of items) {
      yield* framesWith(run.read(item), item.type === "event" ? item.event.seq : undefined);
    }
  } catch (error) {
    tell(error);
    yield* framesWith(run.read({ type: "over", ending: brokenOff }));
  }
}

/** The host reads what a store or a provider throws; the client does not. */
const brokenOff = { status: "failed", code: "internal", message: "The server could not go on with this run." } as const;

function* framesWith(events: readonly AgUiEvent[], seq?: number): Generator<string> {
  for (const [index, event] of events.entries()) {
    const id = seq !== undefined && index === events.length - 1 ? `id: ${seq}\n` : "";
    yield `${id}data: ${JSON.stringify(event)}\n\n`;
  }
}
