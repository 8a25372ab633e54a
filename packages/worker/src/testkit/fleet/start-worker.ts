import { createWorker } from "../../create-worker.ts";
import type { Worker, WorkerEvent, WorkerOptions } from "../../worker.ts";
import type { Subject } from "../case.ts";
import type { OpenedDispatcher } from "../tested-dispatcher.ts";
import { type SteppingOptions, steppingAgent } from "./stepping-agent.ts";

export type StartOptions = Pick<SteppingOptions, "ledger" | "pause" | "provider" | "budget"> &
  Partial<Pick<WorkerOptions, "attempts" | "concurrency" | "lookEvery" | "ttl">>;

export interface StartedWorker {
  worker: Worker;
  events: readonly WorkerEvent[];
}

/** Starts a worker in this process that looks by itself once an hour, unless the options say otherwise: only wakes let it work. */
export async function startWorker(
  { afterwards }: Pick<Subject, "afterwards">,
  { store, dispatcher }: OpenedDispatcher,
  { attempts, concurrency = 8, lookEvery = 3_600_000, ttl = 30_000, ...agentOptions }: StartOptions,
): Promise<StartedWorker> {
  const events: WorkerEvent[] = [];
  const agent = steppingAgent({ store, ttl, ...agentOptions });
  const on = (event: WorkerEvent) => void events.push(event);
  const worker = createWorker({ agent, store, dispatcher, attempts, concurrency, lookEvery, ttl, on });
  afterwards(() => worker.drain());
  await worker.start();
  return { worker, events };
}
