import type { HandleRequestOptions } from "@modelcontextprotocol/server";
import { heldContent } from "../held-content.ts";
import { cancelledId, idsInFlight } from "../ids-in-flight.ts";
import type { McpCaller } from "../offer.ts";
import type { Offered } from "../offered.ts";
import { type ProtocolServer, protocolServer } from "../protocol-server.ts";
import { boundedStream } from "./bounded-stream.ts";
import { httpError } from "./http-error.ts";
import { refused } from "./message-problem.ts";
import { SessionTransport } from "./session-transport.ts";

/** The sessions of clients of the revisions up to 2025-11-25. */
export interface Sessions {
  /** Begins a session with its first message. */
  begin(request: Request, caller: McpCaller | undefined, options: HandleRequestOptions): Promise<Response>;
  /** Serves a request of a session. That of another user does not exist. */
  serve(id: string, request: Request, caller: McpCaller | undefined, options: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly id: string;
  /** Its name for what outlives one request. */
  readonly unit: string;
  readonly user: string;
  readonly transport: SessionTransport;
  readonly protocol: ProtocolServer;
  readonly ids: ReturnType<typeof idsInFlight>;
  /** Responses whose streams are open. */
  streams: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createSessions(offered: Offered, lasting: Set<ProtocolServer>): Sessions {
  const { limits } = offered;
  /** By id; the one that was used last is the last. */
  const open = new Map<string, Session>();

  async function end(session: Session): Promise<void> {
    clearTimeout(session.timer);
    open.delete(session.id);
    lasting.delete(session.protocol);
    offered.tasks.end(session.unit);
    await session.protocol.server.close();
  }

  /** A session that nobody uses ends. One with an open stream is used, and so is one with a task, until the time of the task is over. */
  function restTimer(session: Session): void {
    clearTimeout(session.timer);
    if (session.streams > 0) return;
    const rested = () => {
      if (offered.tasks.has(session.unit).any) restTimer(session);
      else void end(session).catch(offered.onError);
    };
    session.timer = setTimeout(rested, limits.idle);
    (session.timer as { unref?: () => void }).unref?.();
  }

  /** Makes room for a session of this user, if need be in place of the one that they have left alone for the longest. */
  function makeRoom(user: string): Response | undefined {
    const own = [...open.values()].filter((session) => session.user === user);
    const isFull = own.length >= limits.sessionsPerUser;
    if (!isFull && open.size < limits.sessions) return undefined;
    const isAlone = ({ streams, ids, unit }: Session) =>
      streams === 0 && ids.count() === 0 && !offered.tasks.has(unit).atWork;
    const alone = own.find(isAlone);
    if (alone) {
      void end(alone).catch(offered.onError);
      return undefined;
    }
    const why = isFull ? `${own.length} sessions of yours are in use. End one of them.` : "The server has no room.";
    const headers = { "retry-after": String(Math.ceil(limits.idle / 1000)) };
    return httpError(refused(isFull ? 429 : 503, why, -32000), undefined, headers);
  }

  /** Puts it behind the others, which were used before. */
  function used(session: Session): void {
    open.delete(session.id);
    open.set(session.id, session);
    restTimer(session);
  }

  async function handle(session: Session, request: Request, options: HandleRequestOptions): Promise<Response> {
    const messages = [options.parsedBody ?? []].flat();
    const taken = session.ids.take(messages);
    if (taken !== "taken") {
      const [status, why] =
        taken === "repeated" ? [400, "A request with this id has"] : [429, "Too many requests have"];
      return httpError(refused(status, `${why} no answer yet.`), messages[0]);
    }
    session.streams++;
    used(session);
    const response = await session.transport.handleRequest(request, options);
    if (response.status >= 400) for (const message of messages) session.ids.free(answerTo(message));
    for (const message of messages) endCancelled(session, message);
    return boundedStream(response, limits.unreadBytes, () => {
      session.streams--;
      if (open.has(session.id)) restTimer(session);
    });
  }

  return {
    async begin(request, caller, options) {
      const user = caller?.user ?? "";
      // Nothing may wait from here until the session counts: many begin at once.
      const full = makeRoom(user);
      if (full) return full;
      const id = crypto.randomUUID();
      const ids = idsInFlight();
      const transport = new SessionTransport(id, limits.unreadBytes, (message) => ids.free(message));
      const unit = `mcp-${id}`;
      const held = heldContent();
      const protocol = protocolServer(offered, { era: "legacy", caller, unit, held, tasks: unit });
      const session: Session = { id, unit, user, transport, protocol, ids, streams: 0, timer: undefined };
      open.set(id, session);
      lasting.add(protocol);
      await protocol.server.connect(transport);
      const previous = protocol.server.onclose;
      protocol.server.onclose = () => {
        previous?.();
        void end(session).catch(offered.onError);
      };
      const response = await handle(session, request, options);
      if (response.status >= 400) await end(session);
      return response;
    },
    async serve(id, request, caller, options) {
      const session = open.get(id);
      if (session?.user !== (caller?.user ?? "")) {
        return httpError(
          refused(404, "There is no such session. Begin one: `initialize`.", -32001),
          options.parsedBody,
        );
      }
      return handle(session, request, options);
    },
    async close() {
      await Promise.all([...open.values()].map(end));
    },
  };
}

/** A request that was cancelled gets no answer, so nothing else would end its stream. */
function endCancelled({ ids, transport }: Session, message: unknown): void {
  const id = cancelledId(message);
  if (id === undefined) return;
  ids.free(message);
  transport.closeSSEStream(id);
}

/** What would answer this request. */
function answerTo(message: unknown): unknown {
  return { id: (message as { id?: unknown } | null)?.id };
}
