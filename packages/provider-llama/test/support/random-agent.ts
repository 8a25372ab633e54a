import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import type { LogEvent, ToolCall } from "@cogency/protocol";
import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { toolbox } from "@cogency/toolbox";
import { createExecutor, createRegistry, type Executor } from "@cogency/tools";
import * as z from "zod";
import { llama } from "../../src/llama.ts";
import { writeRandomModel } from "./random-model.ts";

/** What came of the turns of a model that knows nothing. */
export interface Turns {
  /** Answers of the model. */
  turns: number;
  /** Those that the limit of tokens ended. */
  cut: number;
  /** Blocks of calls that were refused. */
  refused: number;
  calls: number;
  /** What is wrong with calls whose arguments do not fit the schema of the tool, or whose tool does not exist. */
  malformed: string[];
  /** What tools say of calls that break a rule which stands in no schema, such as that one of two arguments must be given. */
  unruly: string[];
  tokens: number;
  /** How often each tool was called. */
  tools: Record<string, number>;
}

/** Its weights are random, except that it tends to open blocks, and to close what is open: otherwise a turn would take very long. */
const inclined = {
  favours: { "<": 12, '"': 11, "}": 10, "]": 10, "</s>": 6 },
  spells: "<execute>",
};

const names = ["read", "write", "edit", "list", "find", "replace", "shell", "scrape", "search", "recall"] as const;

/**
 * Lets an agent with ten tools of the toolbox take turns, in a folder of its own. Whatever could leave that folder is denied.
 *
 * @param isBound whether the model is bound by the grammar of its tools
 */
export async function takeTurns(turns: number, { isBound, seed }: { isBound: boolean; seed: number }): Promise<Turns> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-random-"));
  const model = join(folder, "random.gguf");
  writeRandomModel(model, { ...inclined, seed, contextLength: 65_536 });
  const sampling = { temperature: 1, topK: 259, topP: 1, minP: 0, seed };
  const provider = llama({ model, threads: 1, gpu: false, ...sampling });
  try {
    return await conversationsOf(provider, folder, turns, isBound, seed);
  } finally {
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function conversationsOf(provider: Provider, folder: string, most: number, isBound: boolean, seed: number) {
  const store = memoryStore();
  const search = { name: "nothing", search: async () => [] };
  const tools = await toolbox({ root: folder, access: "project", include: [...names], search, store });
  const told: Turns = { turns: 0, cut: 0, refused: 0, calls: 0, malformed: [], unruly: [], tokens: 0, tools: {} };
  // Denies each call whose arguments it has found to be valid.
  const checker = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "deny" } });
  const schemas = new Map(tools.map(({ spec }) => [spec.name, z.fromJSONSchema(spec.parameters as never)]));
  const agent = createAgent({
    provider: watched(provider, told, isBound, seed),
    tools,
    store,
    execution: { approval: { policy: ({ name }) => (["shell", "scrape"].includes(name) ? "deny" : "allow") } },
    request: { maxOutputTokens: 1000 },
    warn: () => {},
  });
  for (let talk = 0; told.turns < most; talk++) {
    const conversation = `talk-${talk}`;
    const run = agent.run("Go on.", { conversation, budget: { steps: Math.min(5, most - told.turns) } });
    await run.result;
    for (const event of await store.load({ conversation })) await count(event, told, checker, schemas);
  }
  return told;
}

/** The provider with another seed for each answer, so that no two are the same. */
function watched(provider: Provider, told: Turns, isBound: boolean, seed: number): Provider {
  async function* stream(
    request: ModelRequest,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncGenerator<ModelEvent> {
    told.turns++;
    const { grammar, ...free } = request;
    if (!grammar) throw new Error("The request names no grammar.");
    const asked = isBound ? request : free;
    for await (const event of provider.stream({ ...asked, options: { seed: seed * 100_000 + told.turns } }, options)) {
      if (event.type === "usage") told.tokens += event.usage.output;
      if (event.type === "finish" && event.reason === "length") told.cut++;
      if (event.type === "ignored") throw new Error(event.message);
      yield event;
    }
  }
  const { name, model, capabilities } = provider;
  return { name, model, capabilities: { ...capabilities, session: false }, stream };
}

async function count(
  event: LogEvent,
  told: Turns,
  checker: Executor,
  schemas: ReadonlyMap<string, z.ZodType>,
): Promise<void> {
  if (event.type === "record" && event.kind === "rejected") told.refused++;
  if (event.type !== "call") return;
  const call = JSON.parse(event.content) as ToolCall;
  told.calls++;
  told.tools[call.name] = (told.tools[call.name] ?? 0) + 1;
  const [execution] = await checker.run([call], { conversation: "check" });
  if (execution?.outcome === "denied") return;
  const problem = String(execution?.error);
  const fits = schemas.get(call.name)?.safeParse(call.args).success;
  (fits ? told.unruly : told.malformed).push(problem);
}
