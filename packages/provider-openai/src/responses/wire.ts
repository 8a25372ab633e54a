import { isObject, sourceText } from "@cogency/provider/http";

/** The fields that are read from an event of a Responses stream. Any may be absent or of another type than documented. */
export interface Chunk {
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

/** An output item as the wire has it. */
export type WireItem = Readonly<Record<string, unknown>>;

export function isChunk(value: unknown): value is Chunk {
  return isObject(value) && typeof value.type === "string";
}

/** A server that does not stream answers with the object that the last event of a stream would hold. */
export function asChunk(value: unknown): unknown {
  return isObject(value) && value.object === "response" ? { type: `response.${value.status}`, response: value } : value;
}

/** The text of a whole message item, refusals included. */
export function messageText(item: WireItem): string {
  return texts(item.content).join("");
}

/** The summaries of a reasoning item and, from models that show it, the reasoning itself. */
export function reasoningText(item: WireItem): string {
  return [...texts(item.summary), ...texts(item.content)].join("\n\n");
}

/** The arguments of a call. Some servers send an object instead of its text. */
export function argumentsOf({ arguments: args }: WireItem): unknown {
  return isObject(args) ? sourceText(args) : args;
}

function texts(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).map(({ text, refusal }) => {
    if (typeof text === "string") return text;
    return typeof refusal === "string" ? refusal : "";
  });
}
