import { Client, type ClientOptions, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";

/** The revision that a connection speaks. */
export type Revision = "2025-11-25" | "2026-07-28";

/** What a server does with the client beside answering. */
export interface Peer {
  /** Sends a request to the client; resolves with its result, or with `{ error }`. */
  request(method: string, params: object): Promise<Record<string, unknown>>;
  notify(method: string, params: object): void;
}

/** Returned by a handler that gives no answer. */
export const silent = Symbol("silent");

/** Answers one request of a client. What it throws as `{ code, message, data }` is the error of the answer. */
export type Handler = (
  request: { readonly method: string; readonly params: Record<string, unknown>; readonly id?: number | string },
  peer: Peer,
) => unknown | Promise<unknown>;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: object;
}

/** A way to a server in the same process that answers by hand and so may break every rule. */
export async function rawTransport(handle: Handler, revision: Revision = "2025-11-25"): Promise<Transport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const pending = new Map<string, (result: Record<string, unknown>) => void>();
  let sent = 0;
  const peer: Peer = {
    request(method, params) {
      const id = `server-${++sent}`;
      const answered = new Promise<Record<string, unknown>>((resolve) => pending.set(id, resolve));
      far.send({ jsonrpc: "2.0", id, method, params: { ...params } });
      return answered;
    },
    notify: (method, params) => void far.send({ jsonrpc: "2.0", method, params: { ...params } }),
  };
  far.onmessage = async (message) => {
    const { id, method, params = {}, result, error } = message as Message;
    if (method === undefined) return pending.get(String(id))?.(result ?? { error });
    if (id === undefined) return void answerTo({ method, params }, handle, peer, revision);
    const answer = await answerTo({ method, params, id }, handle, peer, revision);
    if ("result" in answer && answer.result === silent) return;
    far.send({ jsonrpc: "2.0", id, ...answer } as never).catch(() => {});
  };
  await far.start();
  return near;
}

/**
 * Connects a client to such a server.
 *
 * @param prepare called with the client before it connects
 */
export async function connectRaw(
  handle: Handler,
  prepare: (client: Client) => void,
  { revision = "2025-11-25", ...options }: ClientOptions & { revision?: Revision } = {},
): Promise<Client> {
  const mode = revision === "2025-11-25" ? "legacy" : { pin: revision };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, ...options });
  prepare(client);
  await client.connect(await rawTransport(handle, revision));
  return client;
}

async function answerTo(
  request: Parameters<Handler>[0],
  handle: Handler,
  peer: Peer,
  revision: Revision,
): Promise<{ result: unknown } | { error: unknown }> {
  const about = {
    capabilities: {
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true },
      completions: {},
      tasks: taskCapability,
    },
    serverInfo: { name: "raw", version: "1" },
  };
  if (request.method === "initialize") return { result: { protocolVersion: revision, ...about } };
  if (request.method === "server/discover") {
    const caching = { ttlMs: 0, cacheScope: "private" };
    return { result: { resultType: "complete", supportedVersions: [revision], ...caching, ...about } };
  }
  try {
    return { result: await handle(request, peer) };
  } catch (error) {
    return { error };
  }
}

const taskCapability = { cancel: {}, requests: { tools: { call: {} } } };
