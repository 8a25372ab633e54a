import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { callOf, type LogEvent, parseResults } from "@cogency/protocol";
import { postgresStore } from "@cogency/storage-postgres";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { createWorker } from "../src/index.ts";
import { digestOf, type FrozenTalk } from "./earlier/frozen-talk.ts";
import { key, lastStep, steps, talker, turns } from "./earlier/talk.ts";

const folder = new URL("earlier/", import.meta.url);
const names = readdirSync(folder).flatMap((file) => /^(.+)\.sql\.gz$/.exec(file)?.slice(1) ?? []);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describePostgres("a conversation of 10,000 events that an earlier version began", () => {
  it.each(names)(
    "(%s) goes on, on another process after a kill, and nothing is lost or charged twice",
    {
      timeout: 90_000,
    },
    async (name) => {
      const { url, drop } = await createDatabase(postgresUrl());
      onTestFinished(drop);
      await restore(url, name);
      const frozen: FrozenTalk = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
      const charges = join(mkdtempSync(join(tmpdir(), "cogency-earlier-")), "charges");
      onTestFinished(() => rmSync(join(charges, ".."), { recursive: true }));
      writeFileSync(charges, "");
      const store = await postgresStore({ url, liveness: true });
      onTestFinished(() => store.close());
      expect(digestOf(await store.load(key))).toBe(frozen.digest);

      // A process of this version goes on, and is killed in the middle of a call, too.
      const killedAt = lastStep + 3;
      const holder = await heldAt(killedAt, url, charges);
      const worker = createWorker({ agent: talker(store, charges), store });
      await worker.start();
      onTestFinished(() => worker.drain());
      const before = await count();
      holder.kill("SIGKILL");
      const killed = performance.now();
      await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before), { timeout: 20_000, interval: 10 });
      // Under a second, unless the server has just been started: then its stores wait for each other.
      const goneOn = Math.round(performance.now() - killed);
      console.log(`${name}: gone on ${goneOn} ms after the kill, at event ${before} of the conversation`);
      await vi.waitFor(async () => expect(await store.nextWake()).toBeUndefined(), { timeout: 20_000 });

      const log = await store.load(key);
      expect(digestOf(log.slice(0, frozen.events))).toBe(frozen.digest);
      const turn = log.slice(log.findLastIndex(({ type }) => type === "user"));
      expect(turn.flatMap((event) => (event.type === "call" ? [callOf(event).args.step] : []))).toEqual(upTo(steps));
      expect(unknownSteps(turn)).toEqual([lastStep, killedAt]);
      expect(turn.flatMap((event) => (event.type === "respond" ? [event.content] : [])).at(-1)).toBe(
        "Done after 20 steps.",
      );
      expect(readFileSync(charges, "utf8").trim().split("\n").map(Number)).toEqual(upTo(steps).slice(lastStep));
      expect(frozen.charges).toBe((turns - 1) * steps + lastStep);

      async function count(): Promise<number> {
        return (await store.load(key, { after: frozen.events })).length + frozen.events;
      }
    },
  );
});

async function restore(url: string, name: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(gunzipSync(readFileSync(new URL(`${name}.sql.gz`, folder))).toString()).simple();
  await sql.end();
}

/** A worker in a process of its own, once it stands still in the call of this step. */
async function heldAt(step: number, url: string, charges: string) {
  const program = fileURLToPath(new URL("worker-process.ts", folder));
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [program, url, charges, `${step}`], { stdio: [...stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (!child.stdout) throw new Error("The process has no output.");
  await once(child.stdout, "data");
  return child;
}

/** The steps of a turn of which nobody knows whether they were charged. */
function unknownSteps(turn: readonly LogEvent[]): number[] {
  const results = turn.flatMap((event) => (event.type === "result" ? parseResults(event.content) : []));
  return results.flatMap((result, index) => (JSON.stringify(result).includes("unknown") ? [index + 1] : []));
}
