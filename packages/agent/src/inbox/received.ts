import type { RecordEvent, ToolSpec } from "@cogency/protocol";
import type { InboxMessage } from "@cogency/storage";

/** A message of the inbox that was read. */
export interface Received {
  readonly id: string;
  readonly message: InboxMessage;
  /** Whether somebody with a key of the agent's ring sent it, here and under this id. */
  readonly isProven: boolean;
  /** The tools that the client brings with words, after their checks. */
  readonly tools?: readonly ToolSpec[];
}

/** What a record of a message says beside its id and its kind. */
export interface Noted {
  /** Why it has no effect. */
  readonly refused?: string | undefined;
  /** Other messages of its kind, taken with it, that have no record of their own. */
  readonly more?: number | undefined;
}

/** The record that a message was taken. */
export function messageRecord(
  { id, message }: Received,
  timestamp: number,
  { refused, more = 0 }: Noted = {},
): RecordEvent {
  const { kind, from } = message;
  const data = {
    id,
    kind: String(kind),
    ...(typeof from === "string" && { from }),
    ...(refused !== undefined && { refused }),
    ...(more > 0 && { more }),
  };
  return { type: "record", kind: "message", data, timestamp };
}
