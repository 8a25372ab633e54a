import type { ResumeSessionRequest } from "@agentclientprotocol/sdk";
import { refusal } from "../connection/refusal.ts";

/** Reads the request to copy a session, which the stable protocol does not have. @throws RequestError */
export function readFork(params: unknown): Pick<ResumeSessionRequest, "sessionId" | "cwd"> {
  const { sessionId, cwd } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof sessionId !== "string" || typeof cwd !== "string")
    throw refusal("params", "A fork needs a `sessionId` and a `cwd`.");
  return { sessionId, cwd };
}
