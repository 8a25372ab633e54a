import type { LogEvent } from "../events.ts";
import type { ModelMessage } from "../message.ts";
import type { ToolResult } from "../tool.ts";

/** What messages hold otherwise than the log. */
export interface Shown {
  /**
   * The ids of calls that are left out with their results. A message that would be left with words alone keeps its calls, each with
   * `left_out` in place of its arguments.
   */
  readonly without?: ReadonlySet<string> | undefined;
  /**
   * Words that stand before the first event that is shown, and after a summary, as the words of a user. Called with the number of that
   * event, counted from 0.
   */
  words?(from: number): string | undefined;
}

/** Assembles a log that grows: each event is read once, when it is written. */
export interface Assembler {
  /** Reads the next events of the log. How the log is cut into writes changes nothing. */
  write(events: readonly LogEvent[]): void;
  /**
   * Returns what `toMessages` returns for the log so far. Asking changes nothing: the turn at the end stays open.
   * Takes as long as writing the open turn and copying the list of the other messages.
   *
   * The list is the caller's. Its messages must not be changed: later lists hold the same objects.
   * INVARIANT: a message of a turn that is over is the same object in every list, and is never changed.
   *
   * @param from leaves out the messages of the events before this one, counted from 0. Without effect if it stands inside of a turn,
   * or if a summary stands for more
   * @param shown what the messages hold otherwise than the log. A message that leaves out the same calls is the same object in every list.
   */
  messages(from?: number, shown?: Shown): ModelMessage[];
  /** Returns what `missingResults` returns for the log so far. Asking changes nothing. */
  missing(): ToolResult[];
}
