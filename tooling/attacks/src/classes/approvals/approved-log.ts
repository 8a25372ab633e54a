import type { LogEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import { createExecutor, createRegistry, defineTool, type KeyRing, type Tool } from "@cogency/tools";
import type { ApprovalRecord } from "@cogency/tools/host";
import * as z from "zod";
import { approvalEvent, isRecord } from "./approval-records.ts";
import { home } from "./signers.ts";

const disks = z.object({ disk: z.string(), force: z.boolean().optional() });
const genuine = new Set<string>();

/** The log of a run that broke off after the user had approved the first of two calls and denied the second. */
export async function interrupted(by: KeyRing): Promise<LogEvent[]> {
  const records: ApprovalRecord[] = [];
  const executor = createExecutor({
    registry: createRegistry(tools([])),
    keyRing: by,
    concurrency: 1,
    approval: { approve: async ({ call }) => ({ approved: call.args.disk === "a", reason: "no" }) },
  });
  const calls = ["a", "b"].map((id) => ({ name: "wipe", args: { disk: id }, id }));
  const journal = {
    question() {},
    approval: (record: ApprovalRecord) => void records.push(record),
    started() {},
    finished() {},
  };
  await executor.run(calls, { ...home, journal });
  const log: LogEvent[] = [
    { type: "user", content: "Wipe both.", timestamp: 1 },
    await originMark(by, home),
    ...calls.map(({ id, ...call }): LogEvent => ({ type: "call", content: JSON.stringify(call), id, timestamp: 2 })),
    ...records.map(approvalEvent),
  ];
  genuine.add(answersText(log));
  return log;
}

export function tools(ran: string[]): Tool[] {
  const tool = (name: string, hints: object): Tool =>
    defineTool({
      name,
      description: "Does it.",
      input: disks,
      approval: "ask",
      annotations: hints,
      execute: ({ disk, force }) => ran.push(`${name} ${disk}${force ? " by force" : ""}`),
    });
  return [tool("wipe", {}), tool("erase", {}), tool("put", { idempotentHint: true })];
}

/** Whether the log still holds the user's approval unchanged. */
export function isGenuine(log: readonly LogEvent[]): boolean {
  return genuine.has(answersText(log));
}

function answersText(log: readonly LogEvent[]): string {
  return JSON.stringify(log.flatMap((event) => (isRecord(event) && event.data.id === "a" ? [event.data] : [])));
}

export const originMark = async (
  by: KeyRing,
  { user, conversation }: Key,
  scope?: string,
  told = scope,
): Promise<LogEvent> => ({
  type: "record",
  kind: "origin",
  data: {
    ...(told !== undefined && { scope: told }),
    proof: await by.sign({ purpose: "origin", user: user ?? null, conversation, scope: scope ?? null }),
  },
  timestamp: 1,
});
