import { assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { createGate } from "../fleet/gate.ts";
import { ring, startLooker } from "../fleet/looker.ts";

/** How a handler is called. */
export const handlerCases: Case[] = [
  {
    name: "a handler is called once at a time, and again for what comes meanwhile",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened, () => pause(20));
      for (let turn = 0; turn < 12; turn++) {
        await ring(opened, `${turn % 2}`);
        await pause(turn % 3 ? 8 : 0);
      }
      const isDone = async () => (await opened.store.nextWake()) === undefined;
      await eventually(isDone, subject.patience, "Something stays due");
      assertEqual(looker.most, 1, "the calls of the handler at one time");
    },
  },
  {
    name: "a wake of the same conversation that comes while the handler runs calls it again",
    async check(subject) {
      const opened = await subject.open();
      const gate = createGate(subject);
      const { looker } = await startLooker(subject, opened, () => gate.opened);
      await ring(opened, "c");
      await eventually(() => looker.claimed.length === 1, subject.patience, "The handler was not called");
      await ring(opened, "c");
      gate.open();
      await eventually(() => looker.claimed.length === 2, subject.patience, "The handler was not called again");
    },
  },
  {
    name: "while a handler runs, wakes go to other workers",
    async check(subject) {
      const [one, other, sender] = [await subject.open(), await subject.open(), await subject.open()];
      const gate = createGate(subject);
      let isTaken = false;
      // The first call of all stays; the others end at once.
      const during = async () => {
        if (isTaken) return;
        isTaken = true;
        await gate.opened;
      };
      const lookers = [await startLooker(subject, one, during), await startLooker(subject, other, during)];
      const claimed = () => lookers.flatMap(({ looker }) => looker.claimed);
      await ring(sender, "first");
      await eventually(() => isTaken && claimed().includes("first"), subject.patience, "No handler was called");
      for (const conversation of ["second", "third", "fourth"]) {
        await ring(sender, conversation);
        const isClaimed = () => claimed().includes(conversation);
        await eventually(isClaimed, subject.patience, "A wake waits for the worker whose handler runs");
      }
    },
  },
  {
    name: "a handler that fails is called for the next wake of the same conversation",
    async check(subject) {
      const opened = await subject.open();
      let failures = 2;
      const { looker } = await startLooker(subject, opened, async () => {
        if (failures-- > 0) throw new Error("The handler failed, as the kit asked for.");
      });
      for (let call = 1; call <= 3; call++) {
        await ring(opened, "c");
        const isClaimed = () => looker.claimed.length >= call;
        await eventually(isClaimed, subject.patience, "The handler was not called after it had failed");
      }
    },
  },
];
