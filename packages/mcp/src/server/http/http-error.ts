import { idKey, isRequest, type MessageProblem } from "./message-problem.ts";

/** The answer to a request that is refused, with the id of its message where it has one. */
export function httpError(
  { status, code, message }: MessageProblem,
  asked?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const id = isRequest(asked) && idKey(asked.id).length <= 200 ? asked.id : null;
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status, headers });
}
