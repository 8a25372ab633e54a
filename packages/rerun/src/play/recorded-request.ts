import type { JsonObject, ModelMessage, ToolSpec } from "@cogency/protocol";

/** A request to the model as it was recorded. What is absent was not recorded, and is not compared. */
export interface RecordedRequest {
  readonly driver?: string | undefined;
  readonly system?: string | undefined;
  readonly tools?: readonly ToolSpec[] | undefined;
  /** All other settings. */
  readonly settings?: JsonObject | undefined;
  readonly messages?: readonly ModelMessage[] | undefined;
  /** The calls that the messages leave out, by their numbers in the conversation, from 1. */
  readonly without?: readonly number[] | undefined;
}

/** A request as a file holds it: only what the one before does not have. */
export interface PackedRequest {
  readonly driver?: string;
  readonly system?: string;
  readonly tools?: readonly ToolSpec[];
  readonly settings?: JsonObject;
  /** How many messages of the request before it begins with. Absent if its messages are not known. */
  readonly again?: number;
  /** Those that follow. */
  readonly messages?: readonly ModelMessage[];
  readonly without?: readonly number[];
}

/** Leaves out of each request what the one before has. */
export function packRequests(requests: readonly RecordedRequest[]): PackedRequest[] {
  let known: RecordedRequest = {};
  return requests.map((request) => {
    const { messages, without = [], ...others } = request;
    const fresh = Object.entries(others).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(known[name as keyof RecordedRequest]),
    );
    const again = messages ? sharedLength(messages, known.messages ?? []) : 0;
    known = { ...known, ...request, messages: messages ?? known.messages };
    return {
      ...Object.fromEntries(fresh),
      ...(messages && { again, messages: messages.slice(again) }),
      ...(without.length > 0 && { without }),
    };
  });
}

/** The requests of a file. */
export function unpackRequests(packed: readonly PackedRequest[]): RecordedRequest[] {
  let known: RecordedRequest = {};
  return packed.map(({ again, messages, without, ...fresh }) => {
    const whole = messages && [...(known.messages ?? []).slice(0, again ?? 0), ...messages];
    known = { ...known, ...fresh, ...(whole && { messages: whole }) };
    return { ...known, messages: whole, without };
  });
}

function sharedLength(messages: readonly ModelMessage[], before: readonly ModelMessage[]): number {
  const different = messages.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(before[index]));
  return different === -1 ? messages.length : different;
}
