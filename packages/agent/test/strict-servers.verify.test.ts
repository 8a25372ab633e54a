import type { Provider } from "@cogency/provider";
import { anthropic } from "@cogency/provider-anthropic";
import { openai } from "@cogency/provider-openai";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { type Asked, type StrictServerName, serveStrict, type Wants } from "@tooling/wires/strict";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Driver } from "../src/driver.ts";
import { createAgent, protocolDriver } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";

interface Tree {
  value: string;
  children: Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.string(), children: z.array(tree) }));
interface Chain {
  name: string;
  next?: Chain | undefined;
}
const chain: z.ZodType<Chain> = z.lazy(() => z.object({ name: z.string(), next: chain.optional() }));

/** The schema of an answer, what the model wants to say, and the object of the result if that is another. */
type Sample = readonly [name: string, schema: z.ZodType, wanted: unknown, object?: unknown];

const samples: readonly Sample[] = [
  ["an object", z.object({ city: z.string(), rivers: z.array(z.string()) }), { city: "Oslo", rivers: ["Akerselva"] }],
  ["an optional key, left out", z.object({ a: z.string(), note: z.string().optional() }), { a: "x" }],
  ["an optional key", z.object({ a: z.string(), note: z.string().optional() }), { a: "x", note: "y" }],
  [
    "optional keys inside",
    z.object({ list: z.array(z.object({ a: z.int(), b: z.object({ c: z.string().optional() }).optional() })) }),
    { list: [{ a: 1 }, { a: 2, b: {} }, { a: 3, b: { c: "null" } }] },
  ],
  ["a nullable key", z.object({ a: z.string().nullable(), b: z.string().nullish() }), { a: null, b: null }],
  ["a default", z.object({ unit: z.string().default("cm") }), {}, { unit: "cm" }],
  ["a list", z.array(z.object({ x: z.number(), y: z.number().optional() })), [{ x: 1 }, { x: 2, y: 3 }]],
  ["a list of lists", z.array(z.array(z.int())), [[1], [], [2, 3]]],
  ["an enum", z.enum(["red", "green"]), "green"],
  ["a text", z.string(), 'with "quotes", \\ and null'],
  ["a number", z.number(), -12.5],
  ["a boolean", z.boolean(), false],
  ["null or a text", z.string().nullable(), null],
  ["a literal", z.literal("only"), "only"],
  ["literals of several types", z.literal(["x", 1, true, null]), 1],
  ["a union of types", z.union([z.string(), z.int()]), 7],
  [
    "a union of objects",
    z.union([z.object({ a: z.string() }), z.object({ b: z.int(), c: z.string().optional() })]),
    { b: 1 },
  ],
  [
    "a discriminated union",
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), x: z.int() }),
      z.object({ kind: z.literal("b"), y: z.string().optional() }),
    ]),
    { kind: "b" },
  ],
  [
    "a union in a key",
    z.object({ when: z.union([z.boolean(), z.object({ at: z.int() })]).optional() }),
    { when: { at: 3 } },
  ],
  ["a map", z.record(z.string(), z.number()), { one: 1, two: 2 }],
  [
    "a map in a key",
    z.object({ counts: z.record(z.string(), z.int()), note: z.string().optional() }),
    { counts: { a: 1 } },
  ],
  ["a map of known keys", z.record(z.enum(["a", "b"]), z.number()), { a: 1, b: 2 }],
  ["an open object", z.looseObject({ a: z.string() }), { a: "x", more: [1] }],
  ["a strict object", z.strictObject({ a: z.string(), b: z.string().optional() }), { a: "x" }],
  ["an empty object", z.object({}), {}],
  [
    "ranges of numbers",
    z.object({ n: z.number().min(1).max(5), i: z.int().gt(0), m: z.int().multipleOf(5) }),
    { n: 1.5, i: 3, m: 10 },
  ],
  [
    "lengths of texts and lists",
    z.object({ t: z.string().min(2).max(4), l: z.array(z.int()).min(1).max(3) }),
    { t: "abc", l: [1, 2] },
  ],
  [
    "formats of texts",
    z.object({ mail: z.email(), link: z.url(), id: z.uuid(), at: z.iso.datetime(), on: z.iso.date() }),
    {
      mail: "a@example.com",
      link: "https://example.com/",
      id: "123e4567-e89b-42d3-a456-426614174000",
      at: "2026-11-28T08:40:00Z",
      on: "2026-11-28",
    },
  ],
  [
    "patterns",
    z.object({ code: z.string().regex(/\d{3}/), word: z.string().regex(/^(?!no)\w+$/) }),
    { code: "a123", word: "yes" },
  ],
  ["a tuple", z.tuple([z.string(), z.int()]), ["a", 1]],
  ["a tuple with more", z.tuple([z.string()]).rest(z.int()), ["a", 1, 2]],
  ["a tree", tree, { value: "a", children: [{ value: "b", children: [] }] }],
  ["a chain", chain, { name: "a", next: { name: "b" } }],
  ["an intersection", z.intersection(z.object({ a: z.string() }), z.object({ b: z.int().optional() })), { a: "x" }],
  ["anything", z.object({ a: z.any(), b: z.unknown().describe("What you like.") }), { a: [1, null], b: { c: null } }],
  [
    "descriptions",
    z.object({ a: z.string().describe("The first."), b: z.int().optional().describe("The second.") }).describe("Two."),
    { a: "x" },
  ],
  ["keys that look like ours", z.object({ answer: z.array(z.string()).optional() }), { answer: ["x"] }],
  ["a list of what looks like ours", z.union([z.array(z.string()), z.object({ answer: z.string() })]), { answer: "x" }],
];

const drivers: readonly (readonly [string, () => Driver])[] = [
  ["protocol", () => protocolDriver()],
  ["native", () => nativeDriver()],
  ["react", () => reactDriver()],
];

const apiKey = "sk-none";

/** Sends the requests for OpenAI's own host to this server. */
function instead(url: string): typeof fetch {
  return (input, init) => fetch(`${url}${new URL(String(input)).pathname}`, init);
}

const targets: readonly (readonly [string, StrictServerName, (url: string) => Provider])[] = [
  ["OpenAI, Chat", "openai-chat", (url) => openai({ api: "chat", apiKey, fetch: instead(url) })],
  ["OpenAI, Responses", "openai-responses", (url) => openai({ api: "responses", apiKey, fetch: instead(url) })],
  ["a server with OpenAI's rules", "openai-chat", (url) => openai({ apiKey, baseURL: `${url}/v1` })],
  ["Anthropic", "anthropic", (url) => anthropic({ apiKey, baseURL: url })],
  ["vLLM", "vllm-mistral", (url) => openai({ preset: "vllm", model: "m", baseURL: `${url}/v1` })],
  ["LM Studio", "lmstudio", (url) => openai({ preset: "lmstudio", model: "m", baseURL: `${url}/v1` })],
  ["Ollama", "ollama", (url) => openai({ preset: "ollama", model: "m", baseURL: `${url}/v1` })],
  ["llama.cpp", "llama.cpp-gemma", (url) => openai({ preset: "llama.cpp", baseURL: `${url}/v1` })],
];

/** The decision of a model of the ReAct driver that answers so. */
function decision(value: unknown): object {
  return { thought: "", decision: { type: "final_answer", answer: JSON.stringify(value) } };
}

function told(value: unknown, driver: string, { schema }: Asked): Wants {
  if (driver !== "react") return { value };
  // Where the schema could not be sent, the words of the prompt have the decision without its frame.
  return { value: schema ? decision(value) : { thought: "", ...Object(decision(value)).decision } };
}

describe.each(targets)("%s", (_, name, connect) => {
  describe.each(drivers)("through the %s driver", (driver, make) => {
    it("is never sent a request that it refuses, and gives each object that its schema describes", async () => {
      let wanted: unknown;
      const server = await serveStrict(name, (asked) => told(wanted, driver, asked));
      const agent = createAgent({ provider: connect(server.url), store: memoryStore(), driver: make() });
      const got: unknown[] = [];
      for (const [what, schema, value] of samples) {
        wanted = value;
        const { status, object, error } = await agent.object("Tell me.", schema).result;
        got.push([what, status, object, error?.message]);
      }
      expect(got).toEqual(samples.map(([what, , value, object = value]) => [what, "completed", object, undefined]));
      expect(server.refused.filter((message) => !message.includes("System role not supported"))).toEqual([]);
    });
  });
});

const inputs: readonly (readonly [string, z.ZodType, object])[] = [
  ["nothing", z.object({}), {}],
  ["optional_keys", z.object({ a: z.string(), note: z.string().optional() }), { a: "x" }],
  ["patterns", z.object({ id: z.array(z.string().regex(/^\d+$/)), mail: z.email().optional() }), { id: ["12"] }],
  ["maps", z.object({ env: z.record(z.string(), z.string()) }), { env: { A: "b" } }],
  [
    "choices",
    z.object({ which: z.union([z.object({ id: z.int() }), z.object({ name: z.string().optional() })]) }),
    { which: { id: 3 } },
  ],
  ["tuples", z.object({ size: z.tuple([z.number(), z.number()]) }), { size: [1, 2] }],
  ["trees", z.object({ root: tree }), { root: { value: "a", children: [] } }],
  ["whatever", z.object({ a: z.any(), b: z.unknown().describe("What you like.") }), { a: 1, b: "x" }],
];

describe.each(targets.filter(([, name]) => name !== "llama.cpp-gemma"))("native calls over %s", (_, name, connect) => {
  it("are offered with schemas that the server takes", async () => {
    const ran: unknown[] = [];
    const tools = inputs.map(([tool, input]) =>
      defineTool({ name: tool, description: tool, input, execute: (args) => String(ran.push([tool, args])) }),
    );
    for (const [tool, , args] of inputs) {
      const server = await serveStrict(name, ({ hasResults }) =>
        hasResults ? { text: "Done." } : { call: { name: tool, args } },
      );
      const provider = connect(server.url);
      const agent = createAgent({ provider, store: memoryStore(), driver: nativeDriver(), tools });
      const { status, error } = await agent.run("Do it.").result;
      expect([tool, status, error?.message]).toEqual([tool, "completed", undefined]);
      expect(server.refused).toEqual([]);
    }
    expect(ran).toEqual(inputs.map(([tool, , args]) => [tool, args]));
  });
});
