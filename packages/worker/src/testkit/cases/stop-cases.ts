import { assert, assertEqual, eventually, pause, within } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { createGate } from "../fleet/gate.ts";
import { ring, startLooker } from "../fleet/looker.ts";

/** The end of the calls. */
export const stopCases: Case[] = [
  {
    name: "stop waits for the handler that runs, and no handler is called after it; another worker is",
    async check(subject) {
      const [one, other] = [await subject.open(), await subject.open()];
      const gate = createGate(subject);
      const stopping = await startLooker(subject, one, () => gate.opened);
      await ring(other, "running");
      await eventually(() => stopping.looker.calls === 1, subject.patience, "The handler was not called");
      let hasStopped = false;
      const stopped = stopping.stop().then(() => {
        hasStopped = true;
      });
      await pause(50);
      assert(!hasStopped, "Stop must not resolve while the handler runs.");
      gate.open();
      await within(stopped, subject.patience, "Stop did not resolve");
      const { calls } = stopping.looker;
      const next = await startLooker(subject, other);
      for (const conversation of ["a", "b", "c"]) {
        await ring(other, conversation);
        const isClaimed = () => next.looker.claimed.includes(conversation);
        await eventually(isClaimed, subject.patience, "A wake did not reach the worker that goes on");
      }
      assertEqual(stopping.looker.calls, calls, "the calls of the handler that was stopped");
    },
  },
  {
    name: "stop resolves soon while nothing happens, and work may begin again",
    async check(subject) {
      const opened = await subject.open();
      for (let turn = 0; turn < 3; turn++) {
        const { looker, stop } = await startLooker(subject, opened);
        await ring(opened, `${turn}`);
        const isClaimed = () => looker.claimed.includes(`${turn}`);
        await eventually(isClaimed, subject.patience, `The handler was not called in turn ${turn}`);
        await within(stop(), subject.patience, "Stop did not resolve");
      }
    },
  },
];
