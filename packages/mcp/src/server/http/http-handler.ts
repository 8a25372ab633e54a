import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  type Server,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import { heldByUsers } from "../held-content.ts";
import type { McpCaller, McpOffer } from "../offer.ts";
import type { Offered } from "../offered.ts";
import { type ProtocolServer, protocolServer } from "../protocol-server.ts";
import { boundedStream } from "./bounded-stream.ts";
import { preflight, readableBy } from "./cross-origin.ts";
import { guard } from "./guard.ts";
import { httpError } from "./http-error.ts";
import { authInfoOf, login } from "./login.ts";
import { refused } from "./message-problem.ts";
import { readMessage } from "./read-message.ts";
import { createSessions } from "./sessions.ts";

export interface HttpHandler {
  handle(request: Request): Promise<Response>;
  readonly notify: ServerNotifier;
  close(): Promise<void>;
}

/** Serves HTTP: 2026-07-28 request by request, earlier revisions with sessions, or without one where a client begins none. */
export function httpHandler(offer: McpOffer, offered: Offered, lasting: Set<ProtocolServer>): HttpHandler {
  const { limits, onError } = offered;
  const refuse = guard(offer);
  const { metadata, caller: callerOf } = login(offer, onError);
  const sessions = createSessions(offered, lasting);
  const heldBy = heldByUsers();
  const callers = new WeakMap<Request, McpCaller | undefined>();
  const factory = ({ era, requestInfo }: McpRequestContext): Server => {
    const caller = requestInfo && callers.get(requestInfo);
    const unit = `mcp-${crypto.randomUUID()}`;
    // Without a session a task is its user's; where there are none, whoever has its id may ask for it.
    const tasks = era === "modern" ? `user ${caller?.user ?? ""}` : undefined;
    return protocolServer(offered, { era, caller, unit, held: heldBy(caller?.user), tasks }).server;
  };
  const modern = createMcpHandler(factory, {
    legacy: "reject",
    maxSubscriptions: limits.sessions,
    onerror: onError,
    maxRequestBodySize: limits.messageBytes,
  });
  const stateless = legacyStatelessFallback(factory, onError);
  let isClosed = false;

  async function serve(request: Request): Promise<Response> {
    return refuse(request) ?? readableBy(request, await answer(request));
  }

  async function answer(request: Request): Promise<Response> {
    const early = preflight(request) ?? metadata(request);
    if (early) return early;
    const known = await callerOf(request);
    if ("refusal" in known) return known.refusal;
    callers.set(request, known.caller);
    const read = request.method === "POST" ? await readMessage(request, limits) : { message: undefined };
    if ("problem" in read) return httpError(read.problem);
    return route(request, known.caller, read.message);
  }

  async function route(request: Request, caller: McpCaller | undefined, message: unknown): Promise<Response> {
    const authInfo = authInfoOf(caller);
    const options = { ...(authInfo && { authInfo }), ...(message !== undefined && { parsedBody: message }) };
    if (!(await isLegacyRequest(request, message))) {
      return boundedStream(await modern.fetch(request, options), limits.unreadBytes);
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return sessions.serve(session, request, caller, options);
    if (offer.sessions !== false && isInitializeRequest(message)) return sessions.begin(request, caller, options);
    return boundedStream(await stateless(request, options), limits.unreadBytes);
  }

  return {
    async handle(request) {
      if (isClosed) return httpError(refused(503, "The server is closed.", -32000));
      try {
        return await serve(request);
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        return httpError(refused(500, "The server failed.", -32603));
      }
    },
    notify: modern.notify,
    async close() {
      isClosed = true;
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
