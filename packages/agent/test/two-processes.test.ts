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
const payments = kills + 4;
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
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const gone = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve));

  // Opens the store first, so that both find its tables.
  const store = await sqliteStore({ path });
  onTestFinished(() => store.close());
  let runner = start("runner");
  let sender = start("sender");
  for (let kill = 0; kill < kills; kill++) {
    const before = (await store.load({ conversation: "case" }, { last: 1 })).at(-1)?.seq ?? 0;
    await expect
      .poll(async () => (await store.load({ conversation: "case" }, { last: 1 })).at(-1)?.seq ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(before);
    await pause(Math.random() * 40);
    const [victim, role] = kill % 3 === 2 ? ([sender, "sender"] as const) : ([runner, "runner"] as const);
    const closed = gone(victim);
    victim.kill("SIGKILL");
    await closed;
    if (role === "runner") runner = start("runner");
    else sender = start("sender");
  }
  if (sender.exitCode === null) await gone(sender);
  const closed = gone(runner);
  runner.kill("SIGKILL");
  await closed;

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
