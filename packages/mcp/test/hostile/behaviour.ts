/** A message of JSON-RPC as it came, whatever it is. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a client sends, read without a schema
  readonly params?: any;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The way to the client: over HTTP the stream that answers one request, over stdio the stdout of the program. */
export interface Wire {
  send(message: object): void;
  raw(bytes: string | Uint8Array): void;
  /** Ends the connection without an answer. */
  end(): void;
  /** Sends a message that belongs to no request, where the client listens for some. */
  push(message: object): void;
  /** How often the client has sent a message of this method until now; `answer` counts its answers. */
  count(method: string): number;
  /** Resolves when the client has sent one more message of this method. */
  next(method: string): Promise<Message>;
}

/**
 * What a server does, by the method of what it gets: it returns a result, or undefined if it has answered in its own way or never will.
 * `answer` gets the answers of the client to its own requests.
 */
export type Behaviour = Readonly<Record<string, (message: Message, wire: Wire) => unknown>>;

/** An honest server, whose methods a behaviour replaces. It speaks the revisions with a handshake. */
const honest: Behaviour = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: "server", version: "1.0.0" },
  }),
  ping: () => ({}),
  "logging/setLevel": () => ({}),
  "tools/list": () => ({ tools: [tool("echo")] }),
  "tools/call": () => said("honest"),
};

/** Gives a message to a behaviour, and answers. */
export async function serve(behaviour: Behaviour, message: Message, wire: Wire): Promise<void> {
  const { id, method = "answer" } = message;
  const act = behaviour[method] ?? honest[method];
  const isRequest = message.method !== undefined && id !== undefined;
  if (!act) {
    if (isRequest) wire.send({ jsonrpc: "2.0", id, error: { code: -32_601, message: `There is no ${method}.` } });
    return;
  }
  const result = await act(message, wire);
  if (result !== undefined && isRequest) wire.send({ jsonrpc: "2.0", id, result });
}

export function tool(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} }, ...more };
}

/** The result of a call that says this. */
export function said(text: string, more: object = {}): object {
  return { content: [{ type: "text", text }], ...more };
}

/** A server with these tools. */
export function offering(...tools: unknown[]): Behaviour {
  return { "tools/list": () => ({ tools }) };
}

/** Counts what came, and wakes those who wait for it. */
export function createArrivals() {
  const counts = new Map<string, number>();
  const waiting = new Map<string, ((message: Message) => void)[]>();
  return {
    add(message: Message) {
      const method = message.method ?? "answer";
      counts.set(method, (counts.get(method) ?? 0) + 1);
      for (const wake of waiting.get(method) ?? []) wake(message);
      waiting.delete(method);
    },
    count: (method: string) => counts.get(method) ?? 0,
    next: (method: string) =>
      new Promise<Message>((resolve) => waiting.set(method, [...(waiting.get(method) ?? []), resolve])),
  };
}
