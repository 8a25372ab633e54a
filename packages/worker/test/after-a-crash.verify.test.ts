import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createAgent } from "@cogency/agent";
import { type Parts, partsOf } from "@cogency/protocol/parts";
import { createKeyRing } from "@cogency/tools";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrashStore, type StorePlace } from "./crash/open-crash-store.ts";
import { openScreen } from "./crash/screen.ts";
import { never } from "./support/watching.ts";

const key = { conversation: "c" };

describe("a worker with the defaults that is killed in the middle of an answer", () => {
  it("has an heir within 10 s on one machine, with SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-crash-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await secondsUntilItGoesOn({ path: join(folder, "store.db") })).toBeLessThan(10);
  }, 120_000);
});

const screenCase =
  "a screen in another process shows its letters, and what the log holds once it is killed and another one has gone on";

it(`${screenCase}, with SQLite`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-crash-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await converges({ path: join(folder, "store.db") });
}, 120_000);

describePostgres("with PostgreSQL", () => {
  it(screenCase, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await converges({ url, liveness: true });
  }, 120_000);
});

async function converges(place: StorePlace): Promise<void> {
  const store = await openCrashStore(place);
  onTestFinished(() => store.close());
  const screen = openScreen(store, key);
  await secondsUntilItGoesOn(place, () => screen.shows(({ parts }) => lengthOfOpen(parts) > 100));
  await screen.shows(({ parts }) => parts.at(-1)?.type === "end");
  expect(screen.view.parts).toEqual(partsOf(await store.load(key)));
  // Nobody has stored what the dead worker had written.
  expect(screen.view.parts.flatMap((part) => (part.type === "text" ? [part.content] : []))).toEqual(["Done."]);
  await screen.close();
}

function lengthOfOpen(parts: Parts): number {
  const open = parts.findLast((part) => part.type === "text" && part.open);
  return open?.type === "text" ? open.content.length : 0;
}

describePostgres("a worker with the defaults that is killed in the middle of an answer", () => {
  it.each([
    // 15 s, and some for a machine that is busy.
    { liveness: false, within: 20 },
    { liveness: true, within: 10 },
  ])(
    "has an heir within $within s with PostgreSQL, liveness: $liveness",
    async ({ liveness, within }) => {
      const { url, drop } = await createDatabase(postgresUrl());
      onTestFinished(drop);
      expect(await secondsUntilItGoesOn({ url, liveness })).toBeLessThan(within);
    },
    120_000,
  );
});

/** Seconds from the kill of one worker to the answer that the other one has stored. */
async function secondsUntilItGoesOn(
  place: StorePlace,
  // Between two renewals of the lease.
  beforeKill = () => new Promise<unknown>((resolve) => setTimeout(resolve, 2000)),
): Promise<number> {
  const store = await openCrashStore(place);
  onTestFinished(() => store.close());
  const keyRing = createKeyRing(["a ring that the processes of this test have in common"]);
  const sender = createAgent({ provider: never, store, keyRing });
  const first = start(place, "writes");
  await first.says("is there");
  await sender.send(key, { kind: "prompt", content: "Write." });
  await first.says("writes");
  const heir = start(place, "answers");
  await heir.says("is there");
  await beforeKill();
  first.child.kill("SIGKILL");
  const begun = performance.now();
  for await (const event of store.follow(key)) if (event.type === "respond" && event.content === "Done.") break;
  return (performance.now() - begun) / 1000;
}

function start(
  place: StorePlace,
  mood: "writes" | "answers",
): { child: ChildProcess; says(line: string): Promise<void> } {
  const script = join(import.meta.dirname, "crash/worker-process.ts");
  const child = spawn(process.execPath, [script, JSON.stringify(place), mood], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = new Set<string>();
  const waiting: (() => void)[] = [];
  createInterface(child.stdout).on("line", (line) => {
    said.add(line);
    for (const look of waiting) look();
  });
  return {
    child,
    says: (line) =>
      new Promise((resolve) => {
        const look = () => said.has(line) && resolve();
        waiting.push(look);
        look();
      }),
  };
}
