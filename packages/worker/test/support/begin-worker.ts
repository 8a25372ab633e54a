import { type Agent, createAgent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { onTestFinished } from "vitest";
import { createWorker, type Worker, type WorkerEvent, type WorkerOptions } from "../../src/index.ts";

/** The ring that the workers and senders of a test have in common. */
const keyRing = createKeyRing(["a ring that several machines have in common"]);

export const prompt = { kind: "prompt", content: "?" } as const;

type AgentOptions = Parameters<typeof createAgent>[0];

export function agentOn(store: Store, options: AgentOptions): Agent {
  return createAgent({ store, keyRing, lease: { ttl: 2000 }, ...options });
}

export interface BegunWorker {
  worker: Worker;
  agent: Agent;
  events: WorkerEvent[];
  /** What it has attended, as one word each: `done`, `again handed_over`. */
  verdicts(): string[];
}

/** Begins a worker that ends with the test. */
export async function beginWorker(
  store: Store,
  agentOptions: AgentOptions,
  options: Partial<WorkerOptions> = {},
): Promise<BegunWorker> {
  const agent = agentOn(store, agentOptions);
  const events: WorkerEvent[] = [];
  const worker = createWorker({
    agent,
    store,
    ttl: 2000,
    lookEvery: 20,
    on: (event) => events.push(event),
    ...options,
  });
  // Not `afterEach`, which only the first of the files that share this module would get.
  onTestFinished(() => worker.drain());
  await worker.start();
  const verdicts = () =>
    events.flatMap((event) => {
      if (event.type === "parked") return ["parked"];
      if (event.type !== "attended" || event.verdict.type === "parked") return [];
      return "why" in event.verdict ? [`${event.verdict.type} ${event.verdict.why}`] : [event.verdict.type];
    });
  return { worker, agent, events, verdicts };
}
