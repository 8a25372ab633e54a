import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { onTestFinished } from "vitest";
import { createAgent } from "../../src/index.ts";
import type { DriverReply } from "../../src/testkit/index.ts";
import { driverHarnesses } from "../support/driver-harnesses.ts";
import { broken, echo } from "../support/fixtures.ts";
import type { WireAnswer } from "../switching/wire-answers.ts";
import { type Received, type VendorName, vendorServer, vendors } from "./vendors.ts";

/** One prompt, who answers it, and what that model says in each step. */
export interface Turn {
  vendor: VendorName;
  driver: "json" | "xml" | "native";
  /** Of the vendor. Its default when absent. */
  model?: string;
  replies: readonly DriverReply[];
}

/** A request, and the turn in which it was made. */
export interface Asked extends Received {
  turn: Turn;
}

/**
 * Leads one conversation in a SQLite file through the turns, over HTTP. Each turn opens the file anew, as another process would,
 * and has an agent of its own.
 */
export async function converse(turns: readonly Turn[]): Promise<{ asked: Asked[]; texts: string[]; log: LogEvent[] }> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-turns-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "turns.db");
  const asked: Asked[] = [];
  const texts: string[] = [];
  for (const turn of turns) {
    const store = await sqliteStore({ path });
    try {
      texts.push(await take(turn, store, asked));
    } finally {
      await store.close();
    }
  }
  const store = await sqliteStore({ path });
  const log = await store.load({ conversation });
  await store.close();
  return { asked, texts, log };
}

const conversation = "c";

async function take(turn: Turn, store: Awaited<ReturnType<typeof sqliteStore>>, asked: Asked[]): Promise<string> {
  const { vendor, driver, model, replies } = turn;
  const harness = driverHarnesses[driver]?.();
  if (!harness) throw new TypeError(`There is no harness of the driver ${driver}.`);
  const left = replies.map((reply) => partsOf(harness.write(reply)));
  const url = await vendorServer(
    vendor,
    (): WireAnswer => {
      const parts = left.shift();
      if (!parts) throw new RangeError(`The ${vendor} was asked more often than it has replies.`);
      const finish = parts.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop";
      const whole = { isCut: false, isDown: false };
      return { ...whole, parts, finish, nth: asked.length };
    },
    (received) => asked.push({ ...received, turn }),
  );
  const agent = createAgent({
    provider: vendors[vendor].provider(url, model),
    driver: harness.driver({ callDeltas: true }),
    store,
    instructions: "You help.",
    tools: [echo, broken],
  });
  const { status, text, error } = await agent.run(`Ask ${vendor}.`, { conversation, stream: "token" }).result;
  if (status !== "completed") throw error ?? new Error(`The run is ${status}.`);
  return text;
}

/** The whole parts of an answer. */
function partsOf(written: unknown): ModelEvent[] {
  if (Array.isArray(written)) return written.map((text: string): ModelEvent => ({ type: "text", text }));
  const { events } = written as { events: ModelEvent[] };
  return events.filter(({ type }) => type !== "tool_call_delta");
}
