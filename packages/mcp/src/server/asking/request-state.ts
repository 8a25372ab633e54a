import type { Json, JsonObject } from "@cogency/protocol";
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What a client brings back with its answers. It can read this, and cannot change it. */
export interface RoundState {
  /** Stands for the rounds of one request. */
  readonly chain: string;
  /** Counts once. */
  readonly nonce: string;
  /** SHA-256 of the method and the parameters of the request. */
  readonly request: string;
  /** By key: SHA-256 of what the client was asked in the last round. */
  readonly asked: Readonly<Record<string, string>>;
  /** By key: the answers of earlier rounds, each with the SHA-256 of what was asked. */
  readonly given: Readonly<Record<string, { readonly asked: string; readonly answer: Json }>>;
  readonly kept: JsonObject;
}

export interface RequestStates {
  /** Signs the state for the user of this request. */
  mint(state: Omit<RoundState, "nonce">, ctx: ServerContext): Promise<string>;
  /** For the SDK, which calls it before a handler. */
  verify(state: string, ctx: ServerContext): Promise<RoundState>;
  /**
   * The state that the client has brought with this request; undefined if it brought none.
   *
   * @throws ProtocolError for one of another request, or one that was used
   */
  take(ctx: ServerContext, request: string): RoundState | undefined;
}

/** Milliseconds in which a client must bring a state back. */
const lifetime = 600_000;
/** States that count as used until they expire. */
const mostUsed = 10_000;
/** Characters of one state. */
const longest = 256 * 1024;

export function requestStates(secret: string | Uint8Array, userOf: (ctx: ServerContext) => string): RequestStates {
  const codec = createRequestStateCodec<RoundState>({
    key: secret,
    ttlSeconds: lifetime / 1000,
    bind: (ctx) => JSON.stringify([ctx.mcpReq.method, userOf(ctx)]),
  });
  /** Nonces by the time at which their state has expired, the earliest first. */
  const used = new Map<string, number>();

  function use(nonce: string): void {
    const now = Date.now();
    for (const [old, expires] of used) {
      if (expires > now) break;
      used.delete(old);
    }
    if (used.has(nonce)) throw invalidState();
    if (used.size >= mostUsed) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Too many answers at once. Try again in some minutes.");
    }
    used.set(nonce, now + lifetime + 1000);
  }

  return {
    async mint(state, ctx) {
      const text = await codec.mint({ ...state, nonce: crypto.randomUUID() }, ctx);
      if (text.length <= longest) return text;
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        "The answers of the earlier rounds are too long to go on.",
      );
    },
    verify: (state, ctx) => codec.verify(state, ctx),
    take({ mcpReq }, request) {
      const state = mcpReq.requestState<RoundState>();
      if (state === undefined) return undefined;
      if (state.request !== request) throw invalidState();
      use(state.nonce);
      return state;
    },
  };
}

/** The same words as the SDK has for a state that was forged: which check failed is nobody's business. */
function invalidState(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}
