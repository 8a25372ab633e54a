import { createAgent } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, type Tool } from "@cogency/tools";
import type { UIMessageChunk } from "ai";
import { type ChatHandler, type ChatMessage, createChatHandler } from "../../src/chat/index.ts";
import { faultsOf } from "./check-chunks.ts";
import { readStream } from "./read-stream.ts";

type Options = Omit<Partial<Parameters<typeof createChatHandler>[0]>, "store"> & {
  store?: Store;
  steps?: readonly ScriptedStep[];
  tools?: readonly Tool[];
  /** The files that the model takes. Defaults to all. */
  files?: readonly ("image" | "file")[];
};

/** A server with a chat, without a socket. */
export function chatSite({
  steps = [],
  tools = [],
  files = ["image", "file"],
  store = memoryStore(),
  ...options
}: Options = {}) {
  const errors: unknown[] = [];
  const keyRing = createKeyRing(["the secret of the site of a test, 32 bytes"]);
  const provider = scripted(steps, { capabilities: { attachments: files } });
  const agent = createAgent({ provider, tools, store, keyRing });
  const handler = createChatHandler({
    agent,
    store,
    authenticate: ({ headers }) => ({ id: headers.get("x-user") ?? "ada", scopes: ["thinking"] }),
    prefix: "/api/chat",
    onError: (error) => errors.push(error),
    ...options,
  });
  return { errors, ...visitor(handler), handler, store, agent, provider };
}

/** Asks a handler as `useChat` does. */
function visitor(handler: ChatHandler) {
  const ask = (path: string, init: RequestInit = {}) => handler(new Request(`http://site/api/chat${path}`, init));
  const postAny = (body: unknown) =>
    ask("", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return {
    ask,
    postAny,
    /** The chunks of the answer, which fit the rules. */
    async post(body: unknown, before?: ChatMessage): Promise<UIMessageChunk[]> {
      const chunks = await readStream(await postAny(body));
      const faults = faultsOf(chunks, before);
      if (faults.length > 0)
        throw new Error(`${faults.join("; ")}\n${chunks.map((one) => JSON.stringify(one)).join("\n")}`);
      return chunks;
    },
    async history(id: string): Promise<ChatMessage[]> {
      return (await (await ask(`/${encodeURIComponent(id)}/messages`)).json()) as ChatMessage[];
    },
  };
}

/** What `useChat` posts when a person has written. */
export function said(text: string, { id = "c", message = "m1", ...more }: Record<string, unknown> = {}) {
  const messages = [{ id: message, role: "user", parts: [{ type: "text", text }] }];
  return { id, messages, trigger: "submit-message", ...more };
}

/** What `useChat` posts when something was answered in the last message. */
export function replied(message: ChatMessage | undefined, more: Record<string, unknown> = {}) {
  return { id: "c", messages: [message], trigger: "submit-message", messageId: message?.id, ...more };
}
