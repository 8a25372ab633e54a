import type { ToolCall } from "@cogency/protocol";

/** A call with the id under which it is logged, frozen. */
export type LoggedCall<Call extends ToolCall = ToolCall> = Call & { id: string };
