import { isObject } from "../wire-values.ts";

/** What is read of an event of the Responses wire. Any field may be absent or of another kind than documented. */
export interface WireEvent {
  readonly type: string;
  readonly output_index?: unknown;
  readonly item_id?: unknown;
  readonly content_index?: unknown;
  readonly summary_index?: unknown;
  readonly item?: unknown;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly arguments?: unknown;
  readonly response?: unknown;
  readonly error?: unknown;
}

export function isWireEvent(value: unknown): value is WireEvent {
  return isObject(value) && typeof value.type === "string";
}
