import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { Fleet } from "../test/fleet/fleet.ts";
import { findingsOf } from "../test/fleet/laws.ts";
import { startModelServer } from "../test/fleet/model-server.ts";
import { promptOf } from "../test/fleet/plan.ts";
import { openShop } from "../test/fleet/shop.ts";

// `node demo/demo.ts`: starts PostgreSQL and three workers on this machine, gives them twelve conversations of twelve steps each, kills one
// worker and drains another, and shows who goes on.

const steps = 12;
const names = Array.from({ length: 12 }, (_, index) => `conversation ${index + 1}`);
const folder = mkdtempSync(join(tmpdir(), "cogency-workers-"));
const charges = join(folder, "charges");
writeFileSync(charges, "");
const server = await startPostgres();
const model = await startModelServer(200);
const { url } = await createDatabase(server.url);
const shop = { postgres: url, model: model.url, charges, limit: 6, ttl: 10_000 };
const { store, agent } = await openShop(shop);
const fleet = new Fleet({ ...shop, concurrency: 6 });
try {
  console.log("PostgreSQL runs. Three workers begin.");
  await Promise.all([fleet.start(), fleet.start(), fleet.start()]);
  for (const name of names) await agent.send({ conversation: name }, { kind: "prompt", content: promptOf(steps) });
  console.log(`${names.length} conversations of ${steps} steps each have begun.\n`);
  await show();
  const [killed, drained] = fleet.members;
  if (killed) {
    fleet.strike(killed, "kill");
    console.log(`\n${killed.owner} was killed, in the middle of ${killed.running.size} conversations.`);
  }
  await show();
  for (const took of fleet.takeovers.kill) console.log(`Another one went on after ${Math.round(took)} ms.`);
  if (drained) {
    console.log(`\n${drained.owner} is told to end, as at a new version of the program. A fourth one begins.`);
    await Promise.all([drained.end("SIGTERM"), fleet.start()]);
  }
  await show();
  while ((await store.nextWake()) !== undefined) await pause(100);
  const lines = readFileSync(charges, "utf8").split("\n").filter(Boolean);
  const findings = await Promise.all(
    names.map(async (name) => findingsOf(name, steps, await store.load({ conversation: name }), lines)),
  );
  const unknown = findings.reduce((sum, found) => sum + found.unknown, 0);
  const problems = findings.flatMap((found) => found.problems);
  console.log(`\nAll have ended: ${names.length * steps} steps, ${lines.length} charges, none twice.`);
  console.log(`Calls whose outcome nobody knows, which the model was told: ${unknown}.`);
  console.log(`At most ${model.most} requests were open at the model; the limit of all workers is ${shop.limit}.`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await fleet.end();
  await store.close();
  await model.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Who runs what, in a moment. */
async function show(): Promise<void> {
  await pause(1500);
  const { claims, due } = await store.queue();
  for (const { owner } of fleet.members) {
    const own = claims.filter((claim) => claim.owner === owner).map(({ key }) => key.conversation.replace(/\D+/, ""));
    console.log(`${owner} runs ${own.length === 0 ? "nothing" : own.join(", ")}`);
  }
  console.log(`${due} wait`);
}
