import type { ListSessionsResponse } from "@agentclientprotocol/sdk";
import type { AcpSessionList } from "../acp-options.ts";

/** The sessions of the host, as an editor lists them. */
export function listedSessions({ sessions, next }: AcpSessionList): ListSessionsResponse {
  return {
    sessions: sessions.map(({ session, cwd, title, updatedAt }) => ({
      sessionId: session,
      cwd,
      ...(title !== undefined && { title }),
      ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt).toISOString() }),
    })),
    ...(next !== undefined && { nextCursor: next }),
  };
}
