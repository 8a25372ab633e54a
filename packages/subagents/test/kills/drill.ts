import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type LogEvent, missingResults } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { childrenOf, resultsIn } from "../support/play.ts";
import { openStore } from "./open-store.ts";
import { agentOf, agentsOf, conversation, itemsOf, linesIn, type PlanName } from "./task.ts";

const runner = fileURLToPath(new URL("runner.ts", import.meta.url));

export interface Drilled {
  /** Where the processes were killed. */
  struck: string[];
  /** Payments. */
  effects: number;
}

/**
 * Kills processes of the task, one after another, each at a mark of its own, and lets another one end it. Undefined if the first process
 * does not reach its mark.
 *
 * @throws Error that names the marks
 */
export async function drill(plan: PlanName, marks: readonly number[], address?: string): Promise<Drilled | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-subagents-"));
  const store = address ?? join(folder, "store.db");
  const effects = join(folder, "effects");
  const struck: string[] = [];
  try {
    for (const mark of marks) {
      const name = await killed(store, effects, plan, mark);
      if (name === undefined && struck.length === 0) return undefined;
      struck.push(name ?? "the end");
    }
    await goOn(store, effects, plan);
    return { struck, effects: linesIn(effects).length };
  } catch (cause) {
    throw new Error(`killed at ${marks.join(" and ")} (${struck.join(", ")}): ${(cause as Error).message}`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function goOn(address: string, effects: string, plan: PlanName): Promise<void> {
  const store = await openStore(address);
  try {
    const agent = agentOf(store, effects, plan, () => {});
    const isBegun = (await store.load({ conversation })).some(({ type }) => type === "user");
    const begin = () => agent.ask("Do it.", { conversation });
    let result = await (isBegun ? agent.recover({ conversation, wait: true }).result : begin());
    // A process that has died before it began holds its lease for a moment.
    while (result.error?.code === "busy") {
      await pause(50);
      result = await begin();
    }
    demand(result.status === "completed", `It ends as ${result.status}: ${result.error?.message}`);
    demand(result.text === "root is done.", `It answers ${JSON.stringify(result.text)}.`);
    await checkEffects(store, linesIn(effects), plan);
    const all = await logs(store);
    await agent.recover({ conversation }).result;
    demand(JSON.stringify(await logs(store)) === JSON.stringify(all), "Another `recover` has added something.");
  } finally {
    await store.close();
  }
}

/** Each agent was started once, each payment made at most once, and one that was not made is one of which the log says so. */
async function checkEffects(store: Store, done: readonly string[], plan: PlanName): Promise<void> {
  const all = await logs(store);
  const [items, count] = [itemsOf(plan), agentsOf(plan).length + 1];
  demand(all.length === count, `There are ${all.length} conversations, not ${count}.`);
  const told: string[] = [];
  for (const { name, log } of all) {
    demand(missingResults(log).length === 0, `A call of ${name} has no result.`);
    const prompts = log.filter((event) => event.type === "user" && event.origin === undefined);
    demand(prompts.length === 1, `${name} was asked ${prompts.length} times.`);
    told.push(...(await resultsIn(store, name)).map(({ content }) => JSON.stringify(content)));
  }
  for (const item of items) {
    const times = done.filter((one) => one === item).length;
    demand(times <= 1, `${item} was paid ${times} times.`);
    const isTold = told.some((text) => text.includes(`paid ${item}`));
    demand(!isTold || times === 1, `${item} is said to be paid, and is not.`);
  }
  const doubtful = told.filter((text) => text.includes("unknown"));
  const missing = `Of ${items.length} payments ${done.length} were made. The results: ${told.join("\n")}`;
  demand(done.length + doubtful.length >= items.length, missing);
}

/** The log of each conversation of the task. */
async function logs(store: Store): Promise<{ name: string; log: LogEvent[] }[]> {
  const names = [conversation];
  for (const name of names) names.push(...(await childrenOf(store, name)));
  return Promise.all(names.map(async (name) => ({ name, log: await store.load({ conversation: name }) })));
}

async function killed(address: string, effects: string, plan: PlanName, mark: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [runner, address, effects, plan, String(mark)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data) => out.push(String(data)));
  child.stderr.on("data", (data) => err.push(String(data)));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return out.join("").trim();
  if (code !== 0) throw new Error(`The process ended with ${code}: ${err.join("")}`);
  return undefined;
}

function demand(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
