import type { Json, JsonObject } from "@cogency/protocol";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { abilitiesOf } from "./asking/abilities.ts";
import type { ClientAbilities } from "./asking/client-inputs.ts";
import { inputRound } from "./asking/input-rounds.ts";
import { pushedInputs } from "./asking/pushed-inputs.ts";
import type { RequestStates } from "./asking/request-state.ts";
import { type ClientKnown, type ClientTold, clientHost } from "./client-host.ts";
import type { HeldContent } from "./held-content.ts";
import type { McpCaller } from "./offer.ts";
import type { Serving } from "./serving.ts";
import { callProgress } from "./tools/call-progress.ts";

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
  const { era, held, states, patience } = parts;
  const { can, known } = clientOf(parts, ctx);
  const told: ClientTold = {
    log: (level, data, logger) => ctx.mcpReq.log(level, data, logger),
    releaseStream: () => ctx.http?.closeSSE?.(),
  };
  const tell: (update: Json) => void = callProgress(ctx.mcpReq._meta?.progressToken, ctx.mcpReq.notify);
  if (era === "legacy") {
    const inputs = pushedInputs(ctx, can, patience);
    const host = clientHost(told, known, inputs, ctx.mcpReq.signal);
    return { inputs, host, tell, held, conversation: parts.unit, asked: async () => undefined };
  }
  const round = await inputRound(ctx, params, can, states);
  const host = clientHost(told, known, round, AbortSignal.any([ctx.mcpReq.signal, round.left]));
  return { inputs: round, host, tell, held, conversation: round.chain, asked: () => round.result() };
}

/** What is known of the client of a request, and what it can do. */
export function clientOf(
  parts: Pick<ServingParts, "server" | "era" | "caller">,
  ctx: ServerContext,
): { readonly known: ClientKnown; readonly can: ClientAbilities } {
  const { server, caller } = parts;
  const { name, version } = server.getClientVersion() ?? {};
  const known = {
    revision: server.getNegotiatedProtocolVersion() ?? "unknown",
    client: name === undefined || version === undefined ? undefined : { name, version },
    user: caller?.user,
    scopes: caller?.scopes ?? [],
  };
  return { known, can: abilitiesOf(capabilitiesOf(parts, ctx)) };
}

/** What the client has declared: in 2026-07-28 with each request, before that once. */
export function capabilitiesOf(
  { server, era }: Pick<ServingParts, "server" | "era">,
  ctx: ServerContext,
): ClientCapabilities | undefined {
  if (era === "legacy") return server.getClientCapabilities();
  const envelope = (ctx.mcpReq.envelope ?? {}) as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };
  return envelope[CLIENT_CAPABILITIES_META_KEY];
}
