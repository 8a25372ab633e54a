import type { LogEvent, UserEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import type { Beginning } from "./beginning-of.ts";
import { isOfOpening } from "./opening.ts";

/** A turn that variants run again. */
export interface PlayedTurn {
  /** The words that begin it, with the records that belong to them; empty for the turn that the prefix has begun. */
  readonly opening: readonly LogEvent[];
  /** Steps that the recorded run took. */
  readonly steps: number;
  /** Words that the person sent into it, once the model had taken so many steps. */
  readonly steers: readonly { readonly after: number; readonly words: UserEvent }[];
}

/** The turns of a log after its beginning, in their order. There is at least one. */
export function turnsAfter(log: readonly StoredEvent[], { cut, steps, prompts }: Beginning): PlayedTurn[] {
  const turns: { opening: LogEvent[]; steps: number; steers: { after: number; words: UserEvent }[] }[] = [
    { opening: [], steps: 0, steers: [] },
  ];
  const starts = new Set(steps.map(({ start }) => start));
  const said = new Map(prompts.map(({ index, kind }) => [index, kind]));
  let isOpening = false;
  for (const [index, event] of log.entries()) {
    if (index < cut) continue;
    let turn = turns[turns.length - 1] as (typeof turns)[number];
    if (starts.has(index)) {
      turn.steps++;
      isOpening = false;
    }
    if (said.get(index) === "steer" && !isOpening)
      turn.steers.push({ after: turn.steps, words: withoutNumber(event) as UserEvent });
    else if (said.has(index) && !isOpening) {
      isOpening = true;
      turn = { opening: [], steps: 0, steers: [] };
      turns.push(turn);
    }
    if (isOpening && isOfOpening(event)) turn.opening.push(withoutNumber(event));
  }
  return turns;
}

export function withoutNumber({ seq: _, ...event }: StoredEvent): LogEvent {
  return event;
}
