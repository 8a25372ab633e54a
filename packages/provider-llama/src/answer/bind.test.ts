import { schemaGrammar, turnGrammar } from "@cogency/protocol/grammar";
import type { ModelRequest } from "@cogency/provider";
import { expect, it } from "vitest";
import type { Engine } from "../engine/engine.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { bind } from "./bind.ts";

const format = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const grammar = { tools: [], dialect: "json" } as const;
const thought = { open: "<think>", close: "</think>" };

/** An engine whose states are the texts of their grammars. */
function engine(createGrammar = async ({ grammar }: { grammar: string }) => grammar): Engine {
  const state = class {
    constructor({ grammar }: { grammar: string }) {
      // biome-ignore lint/correctness/noConstructorReturn: the state is looked at.
      return Object(grammar);
    }
  };
  const library = { LlamaGrammarEvaluationState: state };
  return { library, llama: { createGrammar }, grammars: new Map() } as unknown as Engine;
}

const boundTo = async (request: Partial<ModelRequest>, prompt: Partial<Prompt>) => {
  const { state, ...rest } = await bind(engine(), request as ModelRequest, { isThinking: false, ...prompt } as Prompt);
  return { ...rest, ...(state && { state: String(state) }) };
};

it.each<[what: string, request: object, prompt: Partial<Prompt>, bound: object]>([
  ["nothing", {}, { thought }, { mayThink: true }],
  ["a language", { grammar }, { thought }, { mayThink: false, state: turnGrammar(grammar) }],
  [
    "a language, within a thought that the template began",
    { grammar },
    { thought, isThinking: true },
    { mayThink: true, state: turnGrammar({ ...grammar, startIn: "think" }) },
  ],
  ["a format, before a language", { grammar, format }, { thought }, { mayThink: false, state: schemaGrammar(format) }],
  [
    "a format, behind a thought that the template began",
    { format },
    { thought, isThinking: true },
    { mayThink: true, state: schemaGrammar(format, "think") },
  ],
  [
    "a format at once, where a thought would end in another way",
    { format },
    { thought: { open: "[THINK]", close: "[/THINK]" }, isThinking: true },
    { mayThink: false, state: schemaGrammar(format) },
  ],
])("binds an answer to %s", async (_, request, prompt, bound) => {
  expect(await boundTo(request, prompt)).toEqual(bound);
});

it("leaves an answer free, and says so, where llama.cpp does not take the grammar", async () => {
  const failing = engine(async () => {
    throw new Error("Too large.\nLine two.");
  });
  const bound = await bind(failing, { format } as unknown as ModelRequest, { isThinking: false } as Prompt);
  expect(bound).toEqual({
    mayThink: true,
    ignored: {
      type: "ignored",
      setting: "grammar",
      message: "llama.cpp does not take the grammar of the format (Too large.): the answer is free.",
    },
  });
});
