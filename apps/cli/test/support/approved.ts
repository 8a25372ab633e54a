import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import type { LogEvent, ToolCall } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { openJobs } from "@cogency/toolbox/shell";
import { createKeyRing } from "@cogency/tools";
import { answerStatement, argumentsHash } from "@cogency/tools/host";
import { scopeOf } from "../../src/base/scope-of.ts";
import { openRootFor, openTools } from "../../src/work/open-tools.ts";

/** Makes a key for the installation whose home is this folder. */
export function writeKey(home: string, key: string): void {
  const folder = join(home, ".config", "cogency");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "keys"), key, { mode: 0o600 });
}

/** The signed record of an approval of the call with this id, in the anonymous conversation "c". */
export async function approved(id: string, { name, args }: ToolCall, key: string): Promise<LogEvent> {
  const record = { id, name, hash: await argumentsHash(args), status: "approved" as const, question: `question ${id}` };
  const proof = await ringOf(key).sign(answerStatement({ conversation: "c" }, record));
  return { type: "record", kind: "approval", data: { ...record, proof }, timestamp: 1 };
}

interface Killed {
  store: string;
  key: string;
  root: string;
  sandbox?: "off";
  calls: readonly ToolCall[];
}

/** Stores the conversation "c" of a run that was killed after a person had approved each call, and before any began. */
export async function killedWithYes({ store: path, key, root, sandbox, calls }: Killed): Promise<void> {
  const store = await sqliteStore({ path });
  const isBegun = (event: LogEvent) => event.type === "record" && event.kind === "started";
  const append: typeof store.append = (log, events, options) =>
    events.some(isBegun) ? Promise.reject(new Error("killed")) : store.append(log, events, options);
  const options = { root, access: "project" as const, ...(sandbox && { sandbox }) };
  const agent = createAgent({
    provider: scripted([`<execute>${JSON.stringify(calls)}</execute>`]),
    tools: await openTools(await openRootFor(options, []), options, store, { jobs: openJobs() }),
    store: { ...store, append },
    scope: scopeOf(root),
    keyRing: ringOf(key),
    execution: { approval: { policy: () => "ask", content: "ask", approve: async () => true } },
  });
  await agent.run("go", { conversation: "c" }).result;
  await store.close();
}

function ringOf(key: string) {
  return createKeyRing([Uint8Array.from(Buffer.from(key, "hex"))]);
}
