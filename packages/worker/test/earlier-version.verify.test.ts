import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { callOf, type LogEvent, parseResults } from "@cogency/protocol";
import { postgresStore } from "@cogency/storage-postgres";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { createWorker } from "../src/index.ts";
import { digestOf, type FrozenTalk } from "./earlier/frozen-talk.ts";
import { key, lastStep, steps, talker, turns } from "./earlier/talk.ts";

const frozenFiles = new URL("earlier/", import.meta.url);
const names = readdirSync(frozenFiles).flatMap((file) => /^(.+)\.sql\.gz$/.exec(file)?.slice(1) ?? []);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
/** The steps in which the process of the earlier version stands still: before the upgrade, and when it is killed. */
const [upgradedAt, killedAt] = [lastStep + 1, lastStep + 3];

describePostgres("a conversation of 10,000 events that an earlier version runs", () => {
  it.each(names)(
    "(%s) outlasts the upgrade of the schema, goes on after a kill, and nothing is lost or charged twice",
    async (name) => {
      const { url, drop } = await createDatabase(postgresUrl());
      onTestFinished(drop);
      const folder = mkdtempSync(join(tmpdir(), "cogency-earlier-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const charges = join(folder, "charges");
      writeFileSync(charges, "");
      const program = join(folder, "earlier.mjs");
      writeFileSync(program, brotliDecompressSync(readFileSync(new URL(`${name}.js.br`, frozenFiles))));
      const frozen: FrozenTalk = JSON.parse(readFileSync(new URL(`${name}.json`, frozenFiles), "utf8"));
      await restore(url, name);
      const schema = await schemaOf(url);

      const earlier = begun(program, url, charges, upgradedAt, killedAt);
      await standsAt(upgradedAt, earlier);
      const store = await postgresStore({ url, liveness: true });
      onTestFinished(() => store.close());
      earlier.stdin?.write("go on\n");
      await standsAt(killedAt, earlier);
      if ((await schemaOf(url)) !== schema) {
        // A process of the earlier version that starts after the upgrade fails at once, and says what to do.
        const [code, complaint] = await endOf(begun(program, url, charges));
        expect(code).toBe(1);
        expect(complaint).toMatch(/written by a newer version .*Update @cogency\/storage-postgres/);
      }

      const worker = createWorker({ agent: talker(store, charges), store });
      await worker.start();
      onTestFinished(() => worker.drain());
      const before = await count();
      earlier.kill("SIGKILL");
      const killed = performance.now();
      await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before), { timeout: 20_000, interval: 10 });
      // Under a second, unless the server has just been started: then its stores wait for each other.
      const elapsed = Math.round(performance.now() - killed);
      console.log(`${name}: goes on ${elapsed} ms after the kill, at event ${before} of the conversation`);
      await vi.waitFor(async () => expect(await store.nextWake()).toBeUndefined(), { timeout: 20_000 });

      const log = await store.load(key);
      expect(digestOf(log.slice(0, frozen.events))).toBe(frozen.digest);
      const turn = log.slice(log.findLastIndex(({ type }) => type === "user"));
      expect(turn.flatMap((event) => (event.type === "call" ? [callOf(event).args.step] : []))).toEqual(upTo(steps));
      expect(unknownSteps(turn)).toEqual([lastStep, killedAt]);
      const responses = turn.flatMap((event) => (event.type === "respond" ? [event.content] : []));
      expect(responses.at(-1)).toBe(`Done after ${steps} steps.`);
      expect(readFileSync(charges, "utf8").trim().split("\n").map(Number)).toEqual(upTo(steps).slice(lastStep));
      expect(frozen.charges).toBe((turns - 1) * steps + lastStep);

      async function count(): Promise<number> {
        return (await store.load(key, { after: frozen.events })).length + frozen.events;
      }
    },
  );
});

async function restore(url: string, name: string): Promise<void> {
  const dump = gunzipSync(readFileSync(new URL(`${name}.sql.gz`, frozenFiles))).toString();
  await connected(url, (sql) => sql.unsafe(dump).simple());
}

async function schemaOf(url: string): Promise<unknown> {
  const [row] = await connected(url, (sql) => sql`SELECT max(version) AS version FROM cogency.cogency_version`);
  return row?.version;
}

async function connected<Result>(url: string, use: (sql: postgres.Sql) => PromiseLike<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** A process of the earlier version, which stands still in the calls of these steps. */
function begun(program: string, url: string, charges: string, ...stands: number[]): ChildProcess {
  const child = spawn(process.execPath, [program, url, charges, ...stands.map(String)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function standsAt(step: number, { stdout, stderr }: ChildProcess): Promise<void> {
  if (!stdout || !stderr) throw new Error("The process has no output.");
  const ended = once(stdout, "end").then(async () => [`It has ended: ${await text(stderr)}`]);
  const [said] = await Promise.race([once(stdout, "data"), ended]);
  expect(`${said}`.trim()).toBe(`${step}`);
}

/** The exit code of a process, and what it has written to stderr. */
async function endOf(child: ChildProcess): Promise<[unknown, string]> {
  if (!child.stderr) throw new Error("The process has no output.");
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return [code, complaint];
}

/** The steps of a turn of which nobody knows whether they were charged. */
function unknownSteps(turn: readonly LogEvent[]): number[] {
  const results = turn.flatMap((event) => (event.type === "result" ? parseResults(event.content) : []));
  return results.flatMap((result, index) => (JSON.stringify(result).includes("unknown") ? [index + 1] : []));
}
