import { createAgent, defineTool, type Tool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { type Key, memoryStore, type Store } from "@cogency/storage";
import {
  type BridgeOptions,
  createBridge,
  type PostedByBridge,
  type TurnItem,
  type Visit,
} from "../../src/bridge/index.ts";
import { keyRing } from "./site.ts";

export const hers: Key = { conversation: "notes", user: "ada" };

export interface Bridged {
  store?: Store;
  steps?: ScriptedStep[];
  tools?: readonly Tool[];
  agent?: Partial<Parameters<typeof createAgent>[0]>;
  options?: Partial<BridgeOptions>;
}

/** A bridge over a store, whose agent has a tool that asks before it writes. */
export function bridged({ store = memoryStore(), steps = [], tools = [], agent: more, options }: Bridged = {}) {
  const written: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes.",
    input: { type: "object", properties: { line: { type: "string" } } },
    approval: "ask",
    execute: ({ line }) => void written.push(line),
  });
  const agent = createAgent({ provider: scripted(steps), tools: [write, ...tools], store, keyRing, ...more });
  const errors: unknown[] = [];
  const bridge = createBridge("bridged", {
    agent,
    store,
    authenticate: ({ headers }) => ({ id: headers.get("x-user") ?? "ada" }),
    onError: (error) => void errors.push(error),
    ...options,
  });

  /** Calls `answer` with a visit, as a request of this user. */
  const visit = async <Value>(answer: (visit: Visit) => Promise<Value>, init: RequestInit = {}): Promise<Value> => {
    let value: { value: Value } | undefined;
    let problem: unknown;
    await bridge.handle(
      new Request("http://server.test/chat", init),
      async (visiting) => {
        value = { value: await answer(visiting) };
        return new Response();
      },
      (refused) => {
        problem = refused;
        return new Response();
      },
    );
    if (!value) throw problem;
    return value.value;
  };

  /** Posts messages and reads what comes of them. */
  const turn = (messages: readonly PostedByBridge[], after = 0, init: RequestInit = {}) =>
    visit(async (visiting) => {
      await visiting.post(hers, messages);
      return all(visiting.turn(hers, { after, ids: messages.map(({ id }) => id) }));
    }, init);

  return { store, agent, bridge, errors, written, visit, turn };
}

export async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const read: Value[] = [];
  for await (const value of values) read.push(value);
  return read;
}

export const prompt = (id: string, content = "hi"): PostedByBridge => ({ id, content: { kind: "prompt", content } });

/** The texts of the replies among the items. */
export const replies = (items: readonly TurnItem[]) =>
  items.flatMap((item) => (item.type === "event" && item.event.type === "respond" ? [item.event.content] : []));

export const overs = (items: readonly TurnItem[]) =>
  items.flatMap((item) => (item.type === "over" ? [item.ending] : []));

/** Something that waits until it is opened. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { opened: promise, open: () => resolve("ok") };
}
