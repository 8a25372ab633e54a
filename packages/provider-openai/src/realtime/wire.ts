import { isObject } from "@cogency/provider/http";

/** An event of the client. The connection adds an id. */
export interface ClientEvent {
  readonly type: "session.update" | "conversation.item.create" | "response.create" | "response.cancel";
  readonly [field: string]: unknown;
}

/** The fields of a server's events that text needs. Fields that are not as documented are left out. */
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
      usage?: Fields | undefined;
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

/** Reads an event from a parsed message; undefined if the message is not an event. */
export function toServerEvent(message: unknown): ServerEvent | undefined {
  const event = objectOrUndefined(message);
  switch (event?.type) {
    case "session.created":
      return { type: "session.created", expiresAt: numberOrUndefined(objectOrUndefined(event.session)?.expires_at) };
    case "session.updated":
      return { type: "session.updated" };
    case "response.created":
      return { type: "response.created", response: stringOrUndefined(objectOrUndefined(event.response)?.id) };
    case "response.output_text.delta":
    // The name before the wire was final; servers that copied it then still send it.
    case "response.text.delta":
      return {
        type: "text",
        response: stringOrUndefined(event.response_id),
        delta: stringOrUndefined(event.delta) ?? "",
      };
    case "response.done":
      return toDone(objectOrUndefined(event.response));
    case "error":
      return {
        type: "error",
        failure: toFailure(event.error) ?? { message: noReason },
        cause: stringOrUndefined(objectOrUndefined(event.error)?.event_id),
      };
    default:
      return typeof event?.type === "string" ? { type: "other" } : undefined;
  }
}

const noReason = "The server gave no reason.";

type Fields = Readonly<Record<string, unknown>>;

function toDone(response: Fields | undefined): ServerEvent {
  const details = objectOrUndefined(response?.status_details);
  return {
    type: "response.done",
    response: stringOrUndefined(response?.id),
    status: stringOrUndefined(response?.status) ?? "completed",
    reason: stringOrUndefined(details?.reason),
    failure: toFailure(details?.error),
    usage: objectOrUndefined(response?.usage),
  };
}

function toFailure(value: unknown): Failure | undefined {
  const error = objectOrUndefined(value);
  if (!error) return undefined;
  const [type, code] = [stringOrUndefined(error.type), stringOrUndefined(error.code)];
  return { message: stringOrUndefined(error.message) || code || type || noReason, type, code };
}

function objectOrUndefined(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
