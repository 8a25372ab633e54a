import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { type Key, memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { anonymousUser, createHandler, type HandlerOptions } from "../../src/index.ts";

/** The key ring of all agents on the store of a site. */
export const keyRing = createKeyRing(["a secret of this server, at least 32 bytes"]);

/** A handler over a store in memory, for every request under the name "ada", and an agent with a tool that asks before it writes. */
export function site(options: Partial<HandlerOptions> = {}, steps: ScriptedStep[] = []) {
  const written: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes.",
    input: { type: "object", properties: { line: { type: "string" } } },
    approval: "ask",
    execute: ({ line }) => void written.push(line),
  });
  const store: Store = (options.store as Store | undefined) ?? memoryStore();
  const agent = createAgent({ provider: scripted(steps), tools: [write], store, keyRing });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const authenticate = () => ({ id: anonymousUser, name: "ada" }) as const;
  const handler = createHandler({ agent, store, authenticate, onError, ...options });
  const ask = (path: string, init?: RequestInit) => handler(new Request(`http://server.test${path}`, init));
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { agent, store, written, errors, ask, post };
}

/** The status, the headers and the JSON of a response. */
export async function read<Body = unknown>(response: Promise<Response>) {
  const { status, headers } = await response;
  // Each test knows the JSON of its route.
  const body = (await (await response).json()) as Body;
  return { status, headers: Object.fromEntries(headers), body };
}

/** Reads a stream of events chunk by chunk. */
export function reading({ body }: Response) {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  return {
    async next() {
      const { value } = await reader.read();
      return value && decoder.decode(value);
    },
    leave: () => reader.cancel(),
  };
}

/** The id of the first question in a log. */
export async function questionIn(store: Store, key: Key): Promise<string> {
  const log = await store.load(key);
  return String(log.flatMap((event) => (event.type === "record" && event.kind === "question" ? event.data.id : []))[0]);
}

export const call = '<execute>[{"name":"write","args":{"line":"hello"}}]</execute>';
