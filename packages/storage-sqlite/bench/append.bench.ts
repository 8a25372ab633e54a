import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { compare } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";

/** What a store costs above the statements it cannot do without: the same text, in the same number of transactions. */
const folder = mkdtempSync(join(tmpdir(), "cogency-bench-"));
const event: LogEvent = { type: "respond", content: "The quick brown fox. ".repeat(15), timestamp: 1_700_000_000.5 };
const text = JSON.stringify(event);
const calls = 300;
const rounds = 15;

const bare = new DatabaseSync(join(folder, "bare.db"));
bare.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE events (conversation, seq, event, PRIMARY KEY (conversation, seq)) WITHOUT ROWID;
`);
const insert = bare.prepare("INSERT INTO events VALUES (?, ?, ?)");
const select = bare.prepare("SELECT seq, event FROM events WHERE conversation = ? ORDER BY seq DESC LIMIT ?");
const sqlite = await sqliteStore({ path: join(folder, "store.db") });
const memory = memoryStore();

for (const size of [1, 20]) {
  await compare(`append ${size} to one conversation`, { rounds }, [
    { name: "node:sqlite, bare INSERTs in a transaction", floor: true, operations: calls, run: () => insertAll(size) },
    { name: "sqliteStore", operations: calls, run: () => appendAll(sqlite, size) },
    { name: "memoryStore", operations: calls, run: () => appendAll(memory, size) },
  ]);
}

await compare("load the last 50 of what is there now", { rounds }, [
  { name: "node:sqlite, bare SELECT and JSON.parse", floor: true, operations: calls, run: selectAll },
  { name: "sqliteStore", operations: calls, run: () => loadAll(sqlite) },
  { name: "memoryStore", operations: calls, run: () => loadAll(memory) },
]);

bare.close();
await sqlite.close();
rmSync(folder, { recursive: true });

function insertAll(size: number): void {
  let seq = Number(select.get("c", 1)?.seq ?? 0);
  for (let call = 0; call < calls; call++) {
    bare.exec("BEGIN IMMEDIATE");
    for (let index = 0; index < size; index++) insert.run("c", ++seq, text);
    bare.exec("COMMIT");
  }
}

async function appendAll(store: Store, size: number): Promise<void> {
  const batch = Array.from({ length: size }, () => event);
  for (let call = 0; call < calls; call++) await store.append({ conversation: "c" }, batch);
}

function selectAll(): void {
  for (let call = 0; call < calls; call++) {
    const rows = select.all("c", 50).reverse();
    rows.map((row) => ({ ...(JSON.parse(String(row.event)) as LogEvent), seq: Number(row.seq) }));
  }
}

async function loadAll(store: Store): Promise<void> {
  for (let call = 0; call < calls; call++) await store.load({ conversation: "c" }, { last: 50 });
}
