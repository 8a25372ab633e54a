import type { Usage } from "@cogency/protocol";

/** What a Realtime server says, as far as text needs it; fields that are not as documented are left out. */
export type ServerEvent =
  /** `expiresAt` is Unix time in seconds. */
  | { type: "session.created"; expiresAt?: number | undefined }
  | { type: "session.updated" }
  | { type: "response.created"; response?: string | undefined }
  | { type: "text"; response?: string | undefined; delta: string }
  | {
      type: "response.done";
      response?: string | undefined;
      status: string;
      reason?: string | undefined;
      failure?: Failure | undefined;
      usage?: Usage | undefined;
    }
  /** `cause` is the id of the client's event that the error is about. */
  | { type: "error"; failure: Failure; cause?: string | undefined }
  | { type: "other" };

/** The server's own words. */
export interface Failure {
  readonly message: string;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
}

/** What a message says, read from JSON; undefined if it is no event at all. */
export function toServerEvent(message: unknown): ServerEvent | undefined {
  const event = record(message);
  switch (event?.type) {
    case "session.created":
      return { type: "session.created", expiresAt: number(record(event.session)?.expires_at) };
    case "session.updated":
      return { type: "session.updated" };
    case "response.created":
      return { type: "response.created", response: string(record(event.response)?.id) };
    case "response.output_text.delta":
    // Before the wire was final, and of servers that have copied it since.
    case "response.text.delta":
      return { type: "text", response: string(event.response_id), delta: string(event.delta) ?? "" };
    case "response.done":
      return toDone(record(event.response));
    case "error":
      return {
        type: "error",
        failure: toFailure(event.error) ?? { message: "The server gave no reason." },
        cause: string(record(event.error)?.event_id),
      };
    default:
      return typeof event?.type === "string" ? { type: "other" } : undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function toDone(response: Fields | undefined): ServerEvent {
  const details = record(response?.status_details);
  return {
    type: "response.done",
    response: string(response?.id),
    status: string(response?.status) ?? "completed",
    reason: string(details?.reason),
    failure: toFailure(details?.error),
    usage: toUsage(record(response?.usage)),
  };
}

function toFailure(value: unknown): Failure | undefined {
  const error = record(value);
  if (!error) return undefined;
  const [type, code] = [string(error.type), string(error.code)];
  return { message: string(error.message) || code || type || "The server gave no reason.", type, code };
}

/** OpenAI counts cached tokens as part of the input; ours are disjoint. Reasoning is part of the output in both. */
function toUsage(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  const cacheRead = number(record(usage.input_token_details)?.cached_tokens) ?? 0;
  return {
    input: Math.max(0, (number(usage.input_tokens) ?? 0) - cacheRead),
    output: number(usage.output_tokens) ?? 0,
    cacheRead,
    cacheWrite: 0,
    reasoning: number(record(usage.output_token_details)?.reasoning_tokens) ?? 0,
  };
}

function record(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
