import type { RunEvent } from "@cogency/protocol";
import type { Provider } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import type { Driver } from "../src/driver.ts";
import { type Agent, type AgentHook, type Budget, createAgent, protocolDriver, type Run } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { answersOf, answerTo, type Form, type Received, scriptedModel, type Work } from "./work.ts";

/** The driver that reads what a model writes in this form. */
export const driverOf: Record<Form, () => Driver> = {
  json: () => protocolDriver(),
  xml: () => protocolDriver({ dialect: "xml" }),
  native: () => nativeDriver(),
  react: () => reactDriver(),
};

/** One agent, and what its tool has done. */
export interface Bench {
  agent: Agent;
  store: Store;
  calls: () => number;
}

/** Ten hooks, one of each point, that return what a hook usually does: nothing, or a patch. */
function tenHooks(): AgentHook[] {
  const patch = () => ({ patch: { seen: true } });
  const nothing = async () => undefined;
  return [
    { name: "1", beforeRun: patch },
    { name: "2", beforeStep: () => ({ request: { temperature: 0 } }) },
    { name: "3", beforeRequest: nothing },
    { name: "4", afterResponse: nothing },
    { name: "5", beforeToolUse: nothing },
    { name: "6", afterToolUse: patch },
    { name: "7", afterStep: patch },
    { name: "8", onStop: nothing },
    { name: "9", onError: nothing },
    { name: "10", afterRun: nothing },
  ];
}

/** Every limit of a run and of its conversation, none of which a run reaches. */
const allBudgets: Budget = {
  steps: 1000,
  tokens: 1e9,
  cost: 1e9,
  toolCalls: 1000,
  seconds: 600,
  conversation: { steps: 1000, tokens: 1e9, cost: 1e9, toolCalls: 1000 },
};

export function oneAgent(
  provider: Provider,
  store: Store = memoryStore(),
  driver = driverOf.json(),
  isGuarded = false,
): Bench {
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
  const instructions = "Be brief.";
  const guards = { hooks: tenHooks(), budget: allBudgets, prices: { [provider.model]: { input: 1, output: 1 } } };
  const own = isGuarded ? guards : { budget: { steps: 1000 } };
  const agent = createAgent({ provider, tools: [shout], store, driver, instructions, ...own });
  return { agent, store, calls: () => calls };
}

export interface OursOptions {
  /** Defaults to `"json"`. */
  form?: Form;
  /** Defaults to one in memory, of the agent's own. */
  store?: Store;
  /** The run yields its whole timeline. */
  isWhole?: boolean;
  /** The agent has ten hooks and all budgets. */
  isGuarded?: boolean;
}

/** Each call of the function is a run of one agent, in a conversation of its own. */
export function ours(work: Work, { form = "json", store, isWhole = false, isGuarded }: OursOptions = {}) {
  const provider = scriptedModel(answersOf(work, form));
  const { agent, calls, store: kept } = oneAgent(provider, store, driverOf[form](), isGuarded);
  return async (received: Received): Promise<void> => {
    const before = calls();
    const run = isWhole ? agent.run("go", { stream: "token", events: "all" }) : agent.run("go", { stream: "token" });
    await consume(run, received, form === "react");
    received.calls += calls() - before;
    // As the pump does. To delete from a file would cost more than the run.
    if (!store) await kept.delete({ conversation: run.conversation });
  };
}

/** @throws Error unless the run is completed */
export async function consume(run: Run | Run<RunEvent>, received: Received, withThoughts = false): Promise<void> {
  for await (const event of run) {
    if (event.type !== "respond" && !(withThoughts && event.type === "think")) continue;
    received.pieces++;
    received.characters += event.content.length;
  }
  const { status, error } = await run.result;
  if (status !== "completed") throw error ?? new Error(`The run is ${status}.`);
}
