import type { JsonObject, ToolResult } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";

/** A call of a log, with what came of it. */
export interface RecordedCall {
  readonly id: string;
  /** The number of its event. */
  readonly seq: number;
  readonly name: string;
  /** As the call ran, where a hook had changed it. */
  readonly args: JsonObject;
  /** Undefined for a call without a result: it waits, or the run broke off. */
  readonly result: ToolResult | undefined;
}

/** The calls of a log in its order. */
export function recordedCallsOf(_log: readonly StoredEvent[]): RecordedCall[] {
  throw new Error("unwritten");
}
