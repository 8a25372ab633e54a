import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callOf, type LogEvent, missingResults, parseResults } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { begunCalls } from "../crashes/laws.ts";
import { recordsIn } from "../support/sources.ts";
import { linesIn } from "../two-processes/files.ts";
import { agentOf, conversation, type Offer, repeatable } from "./kills/task.ts";

const runner = fileURLToPath(new URL("kills/runner.ts", import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("a process that is killed while it uses tools of a source", () => {
  it("leaves a log with which the next one does what may be done, whatever has become of the tools", async () => {
    const seen = new Set<string>();
    for (let mark = 1; ; mark++) {
      const folder = folderOf();
      const { name, code } = await killed(folder, mark);
      if (name === undefined) {
        expect(code).toBe(0);
        break;
      }
      seen.add(name);
      for (const offer of ["there", "changed", "gone"] satisfies Offer[]) {
        const copy = folderOf();
        cpSync(folder, copy, { recursive: true });
        await goOn(copy, offer).catch((cause) => {
          throw new Error(`Killed at ${mark} (${name}), then ${offer}: ${cause.message}`, { cause });
        });
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(["before the effect of pay", "after the effect of note"]));
  });
});

async function goOn(folder: string, offer: Offer): Promise<void> {
  const store = await sqliteStore({ path: join(folder, "store.db") });
  const effects = join(folder, "effects");
  const timesOf = (name: string) => linesIn(effects).filter((line) => line === name).length;
  try {
    const left = await store.load({ conversation });
    const before = linesIn(effects);
    const open = openIn(left);
    const begun = begunCalls(left);
    const agent = agentOf(store, effects, offer, () => {});
    const isBegun = left.some(({ type }) => type === "user");
    const first = await (isBegun ? agent.recover({ conversation }).result : agent.ask("Go on.", { conversation }));
    // Calls that have ended keep their results, and one that nobody can repeat, or say what became of, has an unknown outcome.
    const mayRun = open.filter(({ id, name }) => !begun.has(id) || repeatable.includes(name));
    const asks = offer === "changed" ? mayRun : [];
    expect(first.status).toBe(asks.length > 0 ? "waiting" : "completed");
    if (first.status === "waiting") {
      expect(first.waiting.map(({ name }) => name)).toEqual(asks.map(({ name }) => name));
      for (const { concerns } of first.waiting) expect(concerns.map(({ kind }) => kind)).toEqual(["changed"]);
    }
    if (open.length > 0 && offer !== "there") expect(linesIn(effects)).toEqual(before);
    for (const { question } of first.waiting ?? []) await agent.send({ conversation }, { kind: "approve", question });
    const last = first.status === "waiting" ? await agent.recover({ conversation }).result : first;
    expect(last).toMatchObject({ status: "completed" });
    const log = await store.load({ conversation });
    expect(log.slice(0, left.length)).toEqual(left);
    expect(missingResults(log)).toEqual([]);
    const doubtful = open.filter(({ id, name }) => begun.has(id) && (offer === "gone" || !repeatable.includes(name)));
    if (first.status === "completed")
      expect((first.unknown ?? []).map(({ name }) => name).toSorted()).toEqual(
        doubtful.map(({ name }) => name).toSorted(),
      );
    expect(timesOf("pay")).toBeLessThanOrEqual(1);
    for (const name of repeatable) expect(timesOf(name)).toBeLessThanOrEqual(2);
    for (const { tool, status } of resultsIn(log)) if (status === "success") expect(timesOf(tool)).toBeGreaterThan(0);
    // The model is told once, and knows in the end what there is.
    const isTold = recordsIn(left).length > 0 && offer !== "there" && !hasEnded(left);
    const notices = log.filter((event) => event.type === "user" && event.origin === "notice");
    expect(notices).toHaveLength(isTold ? 1 : 0);
    if (isTold && offer === "gone") expect(recordsIn(log).at(-1)?.gone.toSorted()).toEqual(["look", "note", "pay"]);
    await agent.recover({ conversation }).result;
    expect(await store.load({ conversation })).toEqual(log);
  } finally {
    await store.close();
  }
}

/** The calls at the end of a log that have no result, and have not ended. */
function openIn(log: readonly LogEvent[]) {
  const since = log.slice(log.findLastIndex(({ type }) => type === "result") + 1);
  const ended = new Set(
    since.flatMap((event) => (event.type === "record" && event.kind === "finished" ? event.data.id : [])),
  );
  const calls = since.flatMap((event) =>
    event.type === "call" ? [{ id: event.id ?? "", name: callOf(event).name }] : [],
  );
  return calls.filter(({ id }) => !ended.has(id));
}

const hasEnded = (log: readonly LogEvent[]) => log.some((event) => event.type === "record" && event.kind === "run");

const resultsIn = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-sources-"));
  folders.push(folder);
  return folder;
}

/** Kills a process of the task at a mark. `name` is that of the mark; undefined if it does not reach it. */
async function killed(folder: string, mark: number): Promise<{ name: string | undefined; code: number | null }> {
  const child = spawn(process.execPath, [runner, join(folder, "store.db"), join(folder, "effects"), String(mark)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let name: string | undefined;
  child.stdout.once("data", (line: Buffer) => {
    name = line.toString().trim();
    child.kill("SIGKILL");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { name, code };
}
