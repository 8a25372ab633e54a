import {
  type CallEvent,
  callOf,
  type JsonObject,
  parseResults,
  type ToolCall,
  type ToolResult,
} from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";

/** A call of a log, with what came of it. */
export interface RecordedCall {
  readonly id: string;
  /** The number of its event. */
  readonly seq: number;
  readonly name: string;
  /** As the call ran, where a hook or the check of its arguments had changed it. */
  readonly args: JsonObject;
  /** The call as the model wrote it, where it ran otherwise. */
  readonly written?: Pick<ToolCall, "name" | "args">;
  /** Whether its body began. */
  readonly began: boolean;
  /**
   * The whole result with its attachments, where the log has it; else what the model read, such as why the call was denied. Undefined for
   * a call without a result: it waits, or the run broke off.
   */
  readonly result: ToolResult | undefined;
}

type OpenCall = { -readonly [Key in keyof RecordedCall]: RecordedCall[Key] };

/** The calls of a log in its order. A call that cannot be read is named `unreadable`, and has no arguments. Never throws. */
export function recordedCallsOf(log: readonly StoredEvent[]): RecordedCall[] {
  const calls: OpenCall[] = [];
  // Records count until the batch is closed: a later call may have the same id.
  let open: OpenCall[] = [];
  for (const event of log) {
    switch (event.type) {
      case "call": {
        const call: OpenCall = {
          id: event.id ?? "",
          seq: event.seq,
          ...readCall(event),
          began: false,
          result: undefined,
        };
        calls.push(call);
        open.push(call);
        break;
      }
      case "result": {
        const results = parseResults(event.content) ?? [];
        for (const [index, call] of open.entries()) call.result ??= results[index];
        open = [];
        break;
      }
      case "user":
      case "cancelled":
        open = [];
        break;
      case "record":
        readRecord(event, open);
        break;
    }
  }
  return calls;
}

function readRecord(event: Extract<StoredEvent, { type: "record" }>, open: readonly OpenCall[]): void {
  if (event.kind !== "started" && event.kind !== "finished") return;
  // A log from elsewhere may hold any data.
  const call = open.find(({ id }) => id === event.data?.id);
  if (!call) return;
  call.began = true;
  if (event.kind === "started" && typeof event.data.call === "string") {
    call.written ??= { name: call.name, args: call.args };
    Object.assign(call, readCall({ content: event.data.call }));
  }
  if (event.kind === "finished" && isResult(event.data.result)) call.result = event.data.result;
}

function readCall(event: Pick<CallEvent, "content">): Pick<ToolCall, "name" | "args"> {
  try {
    const { name, args } = callOf(event);
    return { name, args };
  } catch {
    return { name: "unreadable", args: {} };
  }
}

function isResult(value: unknown): value is ToolResult {
  const { status, content } = (value ?? {}) as Partial<ToolResult>;
  return content !== undefined && (status === "success" || (status === "failure" && typeof content === "string"));
}
