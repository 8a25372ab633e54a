import { assert, within } from "@cogency/protocol/testkit";
import type { ModelEvent, ModelRequest, Provider } from "../provider.ts";
import { assertGrammar } from "./grammar.ts";
import type { ModelReply, ProviderHarness, Wire, WireAddress, WireHarness } from "./harness.ts";
import { plainReply, sampleRequest } from "./samples.ts";
import { isContent, readStream } from "./stream-content.ts";
import { inPieces, startWireServer, type WireAnswer, type WireServer } from "./wire-server.ts";

/** The provider under test, and its server if it has one. */
export interface Subject {
  /** Milliseconds to wait for any one event. */
  readonly patience: number;
  /** A request that is answered with several pieces of text. */
  readonly request: ModelRequest;
  /** A provider that answers with several pieces of text. With `isHeld` the answer does not end, if that is possible. */
  answering(isHeld?: boolean): Provider;
  /** The number of pieces in an answer that is held. */
  countPieces(): Promise<number>;
  /** A provider that answers with this reply. */
  saying(reply: ModelReply): Provider;
  /** Fails unless the connection of the last request is closed. */
  released(what: string): Promise<void>;
  /** The number of requests made; 0 if the provider has no server. */
  requests(): number;
}

/** A subject whose provider speaks to the kit's server. */
export interface WireSubject extends Subject {
  readonly wire: Wire;
  readonly server: WireServer;
  readonly apiKey: string;
  /** A provider for the kit's server. The given fields override its address. */
  provider(address?: Partial<WireAddress>): Provider;
  /** The same, whose requests get this answer. */
  answeredBy(answer: WireAnswer, address?: Partial<WireAddress>): Provider;
  /** Sends the head of an answer, with the wire's content type, and nothing more. */
  readonly head: WireAnswer;
  /** Sends the frames of a reply, or other bytes, with the wire's content type. */
  pieces(pieces: Iterable<string | Uint8Array>, ending?: "end" | "destroy" | "hold"): WireAnswer;
  normalize(body: string): string;
}

/** A key that no other text contains, so that every copy of it is found. */
const apiKey = "sk-canary-4f1d7c02b9e8a653";

const defaultPatience = 10_000;

export async function createSubject(harness: ProviderHarness): Promise<{ subject: Subject; close(): Promise<void> }> {
  const patience = harness.patience ?? defaultPatience;
  if (harness.wire) {
    const server = await startWireServer();
    return { subject: wireSubject(harness, server, patience), close: () => server.close() };
  }
  const subject: Subject = {
    patience,
    request: harness.request ?? sampleRequest,
    answering: () => harness.provider(),
    saying: (reply) => harness.provider(reply),
    countPieces: () => piecesOf(harness.provider().stream(subject.request), patience),
    released: async () => {},
    requests: () => 0,
  };
  return { subject, close: async () => {} };
}

function wireSubject(harness: WireHarness, server: WireServer, patience: number): WireSubject {
  const { wire } = harness;
  const headers = { "content-type": wire.contentType ?? "text/event-stream" };
  const provider: WireSubject["provider"] = (address = {}) =>
    harness.provider({ url: server.url, apiKey, timeouts: {}, limits: {}, ...address });
  const pieces: WireSubject["pieces"] = (bytes, ending = "end") => inPieces(bytes, { headers, ending });
  const answeredBy: WireSubject["answeredBy"] = (answer, address) => {
    server.respond(answer);
    return provider(address);
  };
  return {
    patience,
    request: sampleRequest,
    wire,
    server,
    apiKey,
    provider,
    answeredBy,
    head: (exchange) => exchange.begin(200, headers),
    pieces,
    answering(isHeld = false) {
      const frames = wire.answer(plainReply);
      return answeredBy(isHeld ? pieces([frames.slice(0, -1).join("")], "hold") : pieces([frames.join("")]));
    },
    // Cut where a held answer would wait, because a consumer gets no more pieces than that.
    countPieces() {
      const frames = wire.answer(plainReply);
      return piecesOf(answeredBy(pieces([frames.slice(0, -1).join("")])).stream(sampleRequest), patience);
    },
    saying: (reply) => answeredBy(pieces(wire.answer(reply))),
    async released(what) {
      const exchange = server.exchanges.at(-1);
      assert(exchange !== undefined, `${what}: no request was made.`);
      await within(exchange.abandoned, patience, `${what}: the provider did not close its connection`);
    },
    requests: () => server.exchanges.length,
    normalize: (body) => harness.normalize?.(body) ?? body,
  };
}

async function piecesOf(stream: AsyncIterable<ModelEvent>, patience: number): Promise<number> {
  const { events } = await readStream(stream, patience);
  return events.filter(isContent).length;
}

export function isWire(subject: Subject): subject is WireSubject {
  return "server" in subject;
}

/** The events of an answer that must succeed. */
export async function eventsOf(
  { patience }: Subject,
  stream: AsyncIterable<ModelEvent>,
  what: string,
): Promise<ModelEvent[]> {
  const { events, error } = await readStream(stream, patience);
  if (error !== undefined) throw new Error(`${what}: the stream threw ${String(error)}`, { cause: error });
  assertGrammar(events, what);
  return events;
}
