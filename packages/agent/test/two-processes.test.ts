import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";

/** Kills with SIGKILL; `COGENCY_KILLS` gives another number. */
const kills = Number(process.env.COGENCY_KILLS ?? 6);
const payments = kills * 3;
const script = fileURLToPath(new URL("fixtures/inbox-process.ts", import.meta.url));

it("one process runs, another prompts, approves and refuses; either is killed: every message counts once, no call runs twice", {
  timeout: 60_000 + kills * 5000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-two-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const path = join(folder, "store.db");
  const effects = join(folder, "effects");
  const errors: string[] = [];
  const start = (role: "runner" | "sender") => {
    const child = spawn(process.execPath, [script, role, path, effects, String(payments)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (text) => errors.push(String(text)));
    child.on("exit", (code) => code !== null && code !== 0 && errors.push(`${role} ended with ${code}`));
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const killed = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await closed;
  };

  // Opens the store first, so that both find its tables.
  const store = await sqliteStore({ path });
  onTestFinished(() => store.close());
  let runner = start("runner");
  let sender = start("sender");
  const lastSeq = async () => (await store.load({ conversation: "case" }, { last: 1 })).at(-1)?.seq ?? 0;
  for (let kill = 0; kill < kills && sender.exitCode === null; kill++) {
    const before = await lastSeq();
    await expect
      .poll(async () => sender.exitCode !== null || (await lastSeq()) > before, { timeout: 30_000 })
      .toBe(true);
    await pause(Math.random() * 40);
    const [victim, role] = kill % 3 === 2 ? ([sender, "sender"] as const) : ([runner, "runner"] as const);
    await killed(victim);
    if (role === "runner") runner = start("runner");
    else sender = start("sender");
  }
  await expect.poll(() => [sender.exitCode, ...errors], { timeout: 60_000 }).toEqual([0]);
  await killed(runner);

  const log = await store.load({ conversation: "case" });
  const numbers = Array.from({ length: payments }, (_, n) => n);
  const prompts = log.flatMap((event) => (event.type === "user" && !event.origin ? [event.content] : []));
  expect(prompts.filter((text) => text.startsWith("pay "))).toEqual(numbers.map((n) => `pay ${n}`));
  const taken = log.flatMap((event) => (event.type === "record" && event.kind === "message" ? [event.data] : []));
  expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
  for (const n of numbers) expect(taken.filter(({ id }) => id === `p${n}`)).toHaveLength(1);
  expect(taken.filter(({ refused }) => refused !== undefined)).toEqual([]);
  expect(await store.inbox({ conversation: "case" })).toEqual([]);
  const paid = existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n").map(Number) : [];
  expect(new Set(paid).size, `paid ${paid}`).toBe(paid.length);
  expect(paid.filter((n) => n % 3 === 0)).toEqual([]);
  expect(errors.join("")).not.toMatch(/Error/);
});
