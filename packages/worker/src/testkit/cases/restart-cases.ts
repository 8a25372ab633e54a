import { eventually, pause } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { Conversations } from "../fleet/conversations.ts";
import { memoryLedger } from "../fleet/ledger.ts";
import { ring, startLooker } from "../fleet/looker.ts";
import { startWorker } from "../fleet/start-worker.ts";

/** The engine and the store's server restart. */
export const restartCases: Case[] = [
  {
    name: "conversations end, with each step and effect once, although the engine restarts in the middle",
    needs: ["restart"],
    timeout: 240_000,
    async check(subject) {
      const ledger = memoryLedger();
      for (const opened of [await subject.open(), await subject.open()]) {
        const slowly = () => pause(30);
        await startWorker(subject, opened, { ledger, concurrency: 2, lookEvery: 500, ttl: 3000, pause: slowly });
      }
      const conversations = new Conversations(await subject.open(), ledger);
      for (let index = 0; index < 12; index++) await conversations.begin(`c${index}`);
      await eventually(() => ledger.lines().length >= 6, subject.patience, "The workers did not begin");
      await subject.restart();
      await conversations.check(3 * subject.patience);
    },
  },
  {
    name: "wakes arrive again after the engine was restarted",
    needs: ["restart"],
    timeout: 240_000,
    async check(subject) {
      const [worker, sender] = [await subject.open(), await subject.open()];
      const { looker } = await startLooker(subject, worker);
      await ring(sender, "before");
      await eventually(() => looker.claimed.includes("before"), subject.patience, "The handler was not called");
      await subject.restart();
      let posts = 0;
      // The first ones may be lost, and fail.
      const rung = async () => {
        await ring(sender, `after ${++posts}`).catch(() => {});
        await pause(200);
        return looker.claimed.some((conversation) => conversation.startsWith("after"));
      };
      await eventually(rung, 3 * subject.patience, "No wake has arrived since the restart");
    },
  },
];
