import { createAgent, defineTool, type Tool } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import OpenAI from "openai";
import { createOpenAIHandler, type OpenAIOptions } from "../../src/openai/index.ts";
import { keyRing } from "./site.ts";

export interface OpenAISite {
  steps?: ScriptedStep[];
  tools?: readonly Tool[];
  store?: Store;
  agent?: Partial<Parameters<typeof createAgent>[0]>;
  options?: Partial<OpenAIOptions>;
  client?: ConstructorParameters<typeof OpenAI>[0];
}

/** The keys of users, as clients send them. */
const users: Readonly<Record<string, string>> = { "key-of-ada": "ada", "key-of-bob": "bob" };

/** A handler over a store in memory, with a tool that looks up and one that asks first, and the client of OpenAI in front of it. */
export function openaiSite({
  steps = [],
  tools = [],
  store = memoryStore(),
  agent: more,
  options,
  client,
}: OpenAISite = {}) {
  const paid: unknown[] = [];
  const lookup = defineTool({
    name: "lookup",
    description: "Looks a topic up.",
    input: { type: "object", properties: { topic: { type: "string" } } },
    execute: ({ topic }) => `All about ${topic}.`,
  });
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: { amount: { type: "number" } } },
    approval: "ask",
    execute: ({ amount }) => {
      paid.push(amount);
      return "paid";
    },
  });
  const provider = scripted(steps, { capabilities: { tools: true, reasoning: true, attachments: ["image", "file"] } });
  const agent = createAgent({
    provider,
    driver: nativeDriver(),
    tools: [lookup, pay, ...tools],
    store,
    keyRing,
    warn: () => {},
    ...more,
  });
  const errors: unknown[] = [];
  const handler = createOpenAIHandler({
    agent,
    store,
    authenticate({ headers }) {
      const user = users[headers.get("authorization")?.slice("Bearer ".length) ?? ""];
      return user === undefined ? undefined : { id: user, scopes: user === "ada" ? ["thinking"] : [] };
    },
    onError: (error) => void errors.push(error),
    ...options,
  });
  const clientOf = (apiKey: string) =>
    new OpenAI({
      apiKey,
      baseURL: "http://server.test/v1",
      fetch: async (input, init) => handler(new Request(input as string, init as RequestInit)),
      ...client,
    });
  const ask = (path: string, body?: unknown, key = "key-of-ada") =>
    handler(
      new Request(`http://server.test/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  return {
    store,
    agent,
    provider,
    handler,
    errors,
    paid,
    ada: clientOf("key-of-ada"),
    bob: clientOf("key-of-bob"),
    clientOf,
    ask,
  };
}

/** A step of the model that calls a tool. */
export function calling(name: string, args: object, text?: string): ScriptedStep {
  return {
    ...(text !== undefined && { chunks: [text] }),
    events: [{ type: "tool_call", id: `given_${name}`, name, arguments: JSON.stringify(args) }],
  };
}

/** A tool that a client runs. */
export const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
};
