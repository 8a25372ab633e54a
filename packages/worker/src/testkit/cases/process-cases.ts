import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, pause } from "@cogency/protocol/testkit";
import type { Case, Subject } from "../case.ts";
import { Conversations } from "../fleet/conversations.ts";
import { fileLedger } from "../fleet/ledger.ts";

/** Milliseconds of leases and claims in these cases. */
const ttl = 1500;

/** Workers in processes of their own, which the case ends, freezes, or gives a wrong clock. */
export const processCases: Case[] = [
  {
    name: "workers that are killed in the middle of conversations leave them to others, with each step and effect once",
    needs: ["elsewhere"],
    timeout: 240_000,
    async check(subject) {
      const { conversations, ledger, start } = await begin(subject);
      const [first] = await Promise.all([start({}), start({})]);
      for (let index = 0; index < 16; index++) await conversations.begin(`c${index}`);
      await eventually(() => ledger.lines().length >= 8, subject.patience, "The workers did not begin");
      await first?.end();
      await conversations.check(3 * subject.patience);
    },
  },
  {
    name: "a worker that stood still for longer than its leases does nothing again when it goes on",
    needs: ["elsewhere"],
    timeout: 240_000,
    async check(subject) {
      const { conversations, ledger, start } = await begin(subject);
      const frozen = await start({});
      for (let index = 0; index < 8; index++) await conversations.begin(`c${index}`);
      await eventually(() => ledger.lines().length >= 4, subject.patience, "The worker did not begin");
      frozen.signal("SIGSTOP");
      await start({});
      await conversations.check(3 * subject.patience);
      frozen.signal("SIGCONT");
      for (let index = 0; index < 4; index++) await conversations.begin(`after ${index}`);
      await conversations.check(3 * subject.patience);
      await pause(300);
      conversations.checkEffects();
    },
  },
  {
    name: "workers whose clocks are an hour fast or slow go on with conversations at their time",
    needs: ["elsewhere"],
    timeout: 240_000,
    async check(subject) {
      const { conversations, start } = await begin(subject);
      await Promise.all([start({ clockAhead: 3_600_000 }), start({ clockAhead: -3_600_000 })]);
      for (let index = 0; index < 8; index++) await conversations.begin(`c${index}`);
      await conversations.begin("later", Date.now() + 500);
      await conversations.check(3 * subject.patience);
    },
  },
];

async function begin(subject: Subject) {
  const folder = await mkdtemp(join(tmpdir(), "cogency-dispatcher-"));
  subject.afterwards(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "ledger");
  const ledger = fileLedger(path);
  return {
    ledger,
    conversations: new Conversations(await subject.open(), ledger),
    start: (options: { clockAhead?: number }) =>
      subject.startElsewhere({ ledger: path, ttl, lookEvery: 500, pause: 20, concurrency: 4, ...options }),
  };
}
