import type { RunEvent } from "@cogency/protocol";
import type { Provider } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import { type Agent, createAgent, type Run } from "../src/index.ts";
import { answersOf, answerTo, type Received, scriptedModel, type Work } from "./work.ts";

/** One agent, and what its tool has done. */
export interface Bench {
  agent: Agent;
  store: Store;
  calls: () => number;
}

export function oneAgent(provider: Provider, store: Store = memoryStore()): Bench {
  let calls = 0;
  const shout = defineTool({
    name: "shout",
    description: "Say it loudly.",
    input: z.object({ text: z.string() }),
    annotations: { readOnlyHint: true },
    execute(args) {
      calls++;
      return answerTo(args);
    },
  });
  const agent = createAgent({ provider, tools: [shout], store, instructions: "Be brief.", budget: { steps: 1000 } });
  return { agent, store, calls: () => calls };
}

/** Each call of the function is a run of one agent, in a conversation of its own. `isWhole`: the run yields its whole timeline. */
export function ours(work: Work, store?: Store, isWhole = false) {
  const isInMemory = store === undefined;
  const { agent, calls, store: kept } = oneAgent(scriptedModel(answersOf(work)), store);
  return async (received: Received): Promise<void> => {
    const before = calls();
    const run = isWhole ? agent.run("go", { stream: "token", events: "all" }) : agent.run("go", { stream: "token" });
    await consume(run, received);
    received.calls += calls() - before;
    // As the pump does. To delete from a file would cost more than the run.
    if (isInMemory) await kept.delete({ conversation: run.conversation });
  };
}

/** @throws Error unless the run is completed */
export async function consume(run: Run | Run<RunEvent>, received: Received): Promise<void> {
  for await (const event of run) {
    if (event.type !== "respond") continue;
    received.pieces++;
    received.characters += event.content.length;
  }
  const { status, error } = await run.result;
  if (status !== "completed") throw error ?? new Error(`The run is ${status}.`);
}
