import type { Case } from "../case.ts";
import { Conversations } from "../fleet/conversations.ts";
import { memoryLedger } from "../fleet/ledger.ts";
import { startWorker } from "../fleet/start-worker.ts";
import { seededRandom, unruly } from "../fleet/unruly.ts";

/** Wakes that go astray. Workers look by themselves, several times a second. */
export const unrulyCases: Case[] = [
  {
    name: "wakes that are lost, late, doubled and out of order end each conversation, with each step and effect once",
    async check(subject) {
      const ledger = memoryLedger();
      const random = seededRandom(7);
      for (let index = 0; index < 3; index++) {
        const { dispatcher, ...rest } = await subject.open();
        const opened = { ...rest, dispatcher: unruly(dispatcher, random) };
        await startWorker(subject, opened, { ledger, concurrency: 4, lookEvery: 200 });
      }
      const { dispatcher, ...rest } = await subject.open();
      const conversations = new Conversations({ ...rest, dispatcher: unruly(dispatcher, random) }, ledger);
      await Promise.all(Array.from({ length: 24 }, (_, index) => conversations.begin(`c${index}`)));
      await conversations.check(subject.patience);
    },
  },
  {
    name: "an engine that delivers nothing delays conversations until a worker looks by itself",
    async check(subject) {
      const ledger = memoryLedger();
      const { dispatcher, ...rest } = await subject.open();
      const silent = { work: dispatcher.work.bind(dispatcher), wake: async () => {} };
      await startWorker(subject, { ...rest, dispatcher: silent }, { ledger, lookEvery: 100 });
      const conversations = new Conversations({ ...rest, dispatcher: silent }, ledger);
      await Promise.all(["a", "b", "c"].map((conversation) => conversations.begin(conversation)));
      await conversations.check(subject.patience);
    },
  },
];
