import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { listen } from "@tooling/loopback";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

/** What the server does when it is asked for an answer. */
export interface Reply {
  /** Deltas of text. */
  pieces?: readonly string[];
  /** Events to be sent before anything of the answer, as they are. */
  before?: readonly (object | string)[];
  /** Fields laid over those of the response in `response.done`. */
  done?: object;
  /** The connection is closed after so many pieces; with 0 the response is not even created. */
  closeAfter?: number;
  /** Not a word after the pieces, until it is cancelled. */
  hold?: boolean;
  /** What is said of the answer in a way that OpenAI's server no longer does. */
  deltaType?: string;
}

export interface ServerOptions {
  answer?(text: string, asked: number): Reply;
  /** Refuses the handshake of so many connections before it. */
  refuse?(connections: number): { status: number; headers?: Record<string, string>; body?: string } | undefined;
  /** The first words to a new connection; by default that a session was created. */
  greet?(connections: number): readonly (object | string)[];
  /** What a client event is answered with instead. */
  intercept?(event: ClientEvent): readonly object[] | undefined;
}

interface ClientEvent {
  type: string;
  event_id?: string;
  session?: Record<string, unknown>;
  item?: Item;
  item_id?: string;
  previous_item_id?: string;
}

interface Item {
  id?: string;
  role: string;
  status?: string;
  content: { type: string; text: string }[];
}

/** One connection: what it was told, and the conversation that it holds. */
class ServerSocket {
  readonly told: ClientEvent[] = [];
  readonly items: Item[] = [];
  /** Ids of the responses that it has begun. */
  readonly responses: string[] = [];
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly socket: WebSocket;
  readonly closed: Promise<unknown>;
  /** The answer that is under way, if there is one. */
  active: { cancel(): void } | undefined;

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.socket = socket;
    this.path = request.url ?? "";
    this.headers = request.headers;
    this.closed = once(socket, "close");
  }

  /** Role and text, in the order of the conversation. */
  get conversation(): [string, string][] {
    return this.items.map(({ role, content }) => [role, content.map(({ text }) => text).join("")]);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  say(event: object | string): void {
    const text = typeof event === "string" ? event : JSON.stringify({ event_id: mint("event"), ...event });
    this.socket.send(text, () => {});
  }
}

export interface RealtimeServer {
  readonly url: URL;
  readonly sockets: readonly ServerSocket[];
  /** The newest connection. */
  readonly current: ServerSocket;
  /** Closes the newest connection and waits until it is gone. */
  drop(): Promise<void>;
}

/**
 * A server on loopback that speaks OpenAI's Realtime wire, text only, and keeps a conversation per connection. It ends
 * when the test has finished.
 */
export async function realtimeServer(options: ServerOptions = {}): Promise<RealtimeServer> {
  const { refuse = () => undefined } = options;
  const http = createServer((_, response) => response.writeHead(426).end());
  const wire = new WebSocketServer({ noServer: true });
  const sockets: ServerSocket[] = [];
  let handshakes = 0;
  let asked = 0;

  http.on("upgrade", (request, stream, head) => {
    const refusal = refuse(handshakes++);
    if (refusal) return writeRefusal(stream, refusal);
    wire.handleUpgrade(request, stream, head, (socket) => {
      const connection = new ServerSocket(socket, request);
      sockets.push(connection);
      socket.on("error", () => {});
      socket.on("message", (data) => {
        take(connection, JSON.parse(data.toString()), options, () => asked++);
      });
      const greeting = options.greet?.(sockets.length - 1) ?? [sessionCreated({})];
      for (const event of greeting) connection.say(event);
    });
  });
  const { url } = await listen(http, { onEnd: onTestFinished });

  const current = () => sockets.at(-1) ?? fail();
  return {
    url: new URL(`${url}/v1`),
    sockets,
    get current() {
      return current();
    },
    async drop() {
      const { socket, closed } = current();
      socket.close(1001, "Your session hit the maximum duration of 60 minutes.");
      await closed;
    },
  };
}

/** @param session such as `{ expires_at }` */
export function sessionCreated(session: object): object {
  return { type: "session.created", session: { type: "realtime", object: "realtime.session", ...session } };
}

export function errorEvent(cause: string | null, code: string, message = code): object {
  return { type: "error", error: { type: "invalid_request_error", code, message, param: null, event_id: cause } };
}

/** For {@link Reply.done}. */
export function failed(code: string, message: string): object {
  return { status: "failed", status_details: { type: "failed", error: { type: code, code, message } } };
}

function fail(): never {
  throw new Error("Nobody has connected.");
}

let minted = 0;

function mint(kind: string): string {
  minted++;
  return `${kind}_${minted}`;
}

function writeRefusal(stream: Duplex, refusal: { status: number; headers?: Record<string, string>; body?: string }) {
  const { status, headers = {}, body = "" } = refusal;
  const lines = Object.entries({ ...headers, connection: "close", "content-length": String(Buffer.byteLength(body)) });
  stream.end(
    `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

function take(connection: ServerSocket, event: ClientEvent, { answer, intercept }: ServerOptions, count: () => number) {
  connection.told.push(event);
  const instead = intercept?.(event);
  if (instead) {
    for (const said of instead) connection.say(said);
    return;
  }
  switch (event.type) {
    case "session.update":
      return connection.say({ type: "session.updated", session: event.session });
    case "conversation.item.create":
      return create(connection, event);
    case "conversation.item.delete":
      return remove(connection, event);
    case "response.cancel":
      return cancel(connection, event);
    case "response.create": {
      const text = connection.conversation.at(-1)?.[1] ?? "";
      const reply = answer?.(text, count()) ?? {};
      if (connection.active) return complain(connection, event, "conversation_already_has_active_response");
      void respond(connection, { pieces: ["You said ", text, "."], ...reply });
      return;
    }
    default:
      return complain(connection, event, "unknown_event");
  }
}

function create(connection: ServerSocket, event: ClientEvent) {
  if (!event.item) return complain(connection, event, "missing_item");
  const item = { id: mint("item"), ...event.item };
  const before = connection.items.findIndex(({ id }) => id === event.previous_item_id);
  if (event.previous_item_id !== undefined && before === -1) return complain(connection, event, "item_not_found");
  const index = before === -1 ? connection.items.length : before + 1;
  connection.items.splice(index, 0, item);
  tellItem(connection, index, item);
}

function tellItem(connection: ServerSocket, index: number, item: Item) {
  const previous = connection.items[index - 1]?.id ?? null;
  connection.say({ type: "conversation.item.added", previous_item_id: previous, item });
  connection.say({ type: "conversation.item.done", previous_item_id: previous, item });
}

function remove(connection: ServerSocket, event: ClientEvent) {
  const index = connection.items.findIndex(({ id }) => id === event.item_id);
  if (index === -1) return complain(connection, event, "item_not_found");
  connection.items.splice(index, 1);
  connection.say({ type: "conversation.item.deleted", item_id: event.item_id });
}

function cancel(connection: ServerSocket, event: ClientEvent) {
  if (connection.active) connection.active.cancel();
  else complain(connection, event, "response_cancel_not_active");
}

function complain(connection: ServerSocket, event: ClientEvent, code: string) {
  connection.say(errorEvent(event.event_id ?? null, code));
}

async function respond(connection: ServerSocket, reply: Reply & { pieces: readonly string[] }) {
  const { pieces, before = [], closeAfter, hold = false, done, deltaType = "response.output_text.delta" } = reply;
  for (const event of before) connection.say(event);
  if (closeAfter === 0) return connection.socket.close(1012, "restarting");
  const id = mint("resp");
  const item = { id: mint("item"), type: "message", role: "assistant", content: [{ type: "output_text", text: "" }] };
  const { promise: cancelled, resolve: onCancel } = Promise.withResolvers<void>();
  let isCancelled = false;
  connection.responses.push(id);
  connection.active = {
    cancel() {
      isCancelled = true;
      onCancel();
    },
  };
  connection.say({ type: "response.created", response: { id, status: "in_progress", output: [] } });
  connection.say({ type: "response.output_item.added", response_id: id, output_index: 0, item });
  connection.items.push(item);
  let said = "";
  for (const [index, delta] of pieces.entries()) {
    if (index === closeAfter) return connection.socket.close(1012, "restarting");
    connection.say({ type: deltaType, response_id: id, item_id: item.id, output_index: 0, content_index: 0, delta });
    said += delta;
    item.content = [{ type: "output_text", text: said }];
    await setImmediate();
    if (isCancelled || !connection.isOpen) break;
  }
  if (closeAfter !== undefined && !isCancelled) return connection.socket.close(1012, "restarting");
  if (hold && !isCancelled) await Promise.race([cancelled, connection.closed]);
  connection.active = undefined;
  tellItem(connection, connection.items.length - 1, item);
  const status = isCancelled
    ? { status: "cancelled", status_details: { type: "cancelled", reason: "client_cancelled" } }
    : { status: "completed", status_details: null };
  connection.say({ type: "response.done", response: { id, output: [item], usage, ...status, ...done } });
  connection.say({ type: "rate_limits.updated", rate_limits: [{ name: "requests", limit: 9, remaining: 8 }] });
}

const usage = {
  total_tokens: 130,
  input_tokens: 100,
  output_tokens: 30,
  input_token_details: { text_tokens: 100, audio_tokens: 0, cached_tokens: 64 },
  output_token_details: { text_tokens: 30, audio_tokens: 0 },
};
