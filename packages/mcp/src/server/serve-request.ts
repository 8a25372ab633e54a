import type { JsonObject } from "@cogency/protocol";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { abilitiesOf } from "./asking/abilities.ts";
import { inputRound } from "./asking/input-rounds.ts";
import { pushedInputs } from "./asking/pushed-inputs.ts";
import type { RequestStates } from "./asking/request-state.ts";
import { clientHost } from "./client-host.ts";
import type { HeldContent } from "./held-content.ts";
import type { McpCaller } from "./offer.ts";
import type { Serving } from "./serving.ts";

/** What a request is served with. */
export interface ServingParts {
  readonly server: Server;
  readonly era: "legacy" | "modern";
  readonly caller: McpCaller | undefined;
  /** The session or the connection. */
  readonly unit: string;
  readonly held: HeldContent;
  readonly states: RequestStates;
  /** Milliseconds until a question counts as unanswered. */
  readonly patience: number;
}

/** Serves one request that may ask the client. `params` are those that the client repeats with its answers. */
export async function serveRequest(parts: ServingParts, ctx: ServerContext, params: JsonObject): Promise<Serving> {
  const { server, era, caller, held, states, patience } = parts;
  const envelope = (ctx.mcpReq.envelope ?? {}) as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };
  const capabilities = era === "modern" ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const can = abilitiesOf(capabilities);
  const { name, version } = server.getClientVersion() ?? {};
  const known = {
    revision: server.getNegotiatedProtocolVersion() ?? "unknown",
    client: name === undefined || version === undefined ? undefined : { name, version },
    user: caller?.user,
    scopes: caller?.scopes ?? [],
  };
  if (era === "legacy") {
    const inputs = pushedInputs(ctx, can, patience);
    const host = clientHost(ctx, known, inputs, ctx.mcpReq.signal);
    return { ctx, inputs, host, held, conversation: parts.unit, asked: async () => undefined };
  }
  const round = await inputRound(ctx, params, can, states);
  const host = clientHost(ctx, known, round, AbortSignal.any([ctx.mcpReq.signal, round.left]));
  return { ctx, inputs: round, host, held, conversation: round.chain, asked: () => round.result() };
}
