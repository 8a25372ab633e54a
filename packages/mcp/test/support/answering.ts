import type { ToolContext } from "@cogency/tools";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { type AnsweringOptions, answerRequests, capabilitiesFor } from "../../src/client/questions/answer-requests.ts";
import type { CallInFlight, ServerLink } from "../../src/client/server-link.ts";
import { linkTo } from "./link.ts";
import { connectRaw, type Handler, type Revision } from "./raw-server.ts";

/** A server that was connected, and a tool of it as a call uses it. */
export async function answering(
  handle: Handler,
  revision: Revision,
  options: AnsweringOptions = {},
  parts: Partial<ServerLink> = {},
) {
  const inFlight: CallInFlight[] = [];
  const logged: string[] = [];
  let rounds: ReturnType<typeof answerRequests> | undefined;
  const own = { ...options, log: (text: string) => logged.push(text) };
  const prepare = (client: Client) => {
    rounds = answerRequests(
      client,
      linkTo(() => client, { inFlight, ...parts }),
      own,
    );
  };
  const client = await connectRaw(handle, prepare, { revision, capabilities: capabilitiesFor(own) });

  /** Calls the tool as the client does: in flight until it has ended. */
  async function call(context: ToolContext | undefined, tool = "tool"): Promise<CallToolResult> {
    const entry = context && { tool, context };
    if (entry) inFlight.push(entry);
    const signal = context?.signal ?? new AbortController().signal;
    try {
      return await (rounds as NonNullable<typeof rounds>).send(
        (answered) => client.callTool({ name: tool, ...answered } as never, { allowInputRequired: true, signal }),
        context,
        signal,
      );
    } finally {
      if (entry) inFlight.splice(inFlight.indexOf(entry), 1);
    }
  }

  return { client, call, logged, inFlight, rounds: rounds as NonNullable<typeof rounds> };
}

/** A server whose tool asks once, and gives what it was answered. */
export function askingOnce(method: string, params: object, revision: Revision): Handler {
  return async (request, peer) => {
    if (request.method !== "tools/call") return;
    if (revision === "2025-11-25") return answerText(await peer.request(method, params));
    const { inputResponses } = request.params as { inputResponses?: { q: unknown } };
    if (inputResponses) return { resultType: "complete", ...answerText(inputResponses.q) };
    return { resultType: "input_required", inputRequests: { q: { method, params } } };
  };
}

export function answerText(value: unknown) {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** What a tool of {@link askingOnce} was answered. */
export function answerIn({ content }: CallToolResult): unknown {
  const [block] = content;
  return block?.type === "text" ? JSON.parse(block.text) : undefined;
}

export const revisions = ["2025-11-25", "2026-07-28"] as const;
