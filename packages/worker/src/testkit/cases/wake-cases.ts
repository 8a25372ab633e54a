import { eventually, within } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { ring, startLooker } from "../fleet/looker.ts";

/** Milliseconds that a wake for later may be late. */
const lateness = 4000;

/** Whether wakes arrive. The handler claims what is due, and never looks by itself. */
export const wakeCases: Case[] = [
  {
    name: "wake resolves while nobody works",
    async check({ open, patience }) {
      const sender = await open();
      await within(ring(sender, "c"), patience, "The wake did not resolve");
    },
  },
  {
    name: "a wake calls a handler, from this process and from another one",
    async check(subject) {
      const [here, there] = [await subject.open(), await subject.open()];
      const { looker } = await startLooker(subject, here);
      for (const [conversation, sender] of [
        ["a", here],
        ["b", there],
        ["c", there],
        ["d", here],
      ] as const) {
        await ring(sender, conversation);
        const isClaimed = () => looker.claimed.includes(conversation);
        await eventually(isClaimed, subject.patience, "No handler was called that could claim the conversation");
      }
    },
  },
  {
    name: "of many wakes at once none is swallowed",
    async check(subject) {
      const [here, there] = [await subject.open(), await subject.open()];
      const lookers = [await startLooker(subject, here), await startLooker(subject, there)];
      const names = Array.from({ length: 40 }, (_, index) => `${index}`);
      await Promise.all(names.map((name, index) => ring(index % 2 ? here : there, name)));
      const claimed = () => new Set(lookers.flatMap(({ looker }) => looker.claimed)).size;
      await eventually(() => claimed() === names.length, subject.patience, "Some conversations were not claimed");
    },
  },
  {
    name: "a wake for later calls a handler at its time",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened);
      await ring(opened, "later", Date.now() + 700);
      const isClaimed = () => looker.claimed.includes("later");
      await eventually(isClaimed, 700 + lateness, "No handler was called that could claim the conversation");
    },
  },
  {
    name: "wakes of one conversation for now and for later both call a handler, in either order",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened);
      const claims = (conversation: string) => looker.claimed.filter((claimed) => claimed === conversation).length;
      const [soon, never] = [Date.now() + 700, Date.now() + 3_600_000];
      await ring(opened, "later first", never);
      await ring(opened, "later first", soon);
      await ring(opened, "later first");
      await ring(opened, "now first");
      await ring(opened, "now first", soon);
      for (const conversation of ["later first", "now first"]) {
        await eventually(
          () => claims(conversation) >= 1,
          subject.patience,
          `The wake for now did not come: ${conversation}`,
        );
        await eventually(
          () => claims(conversation) >= 2,
          700 + lateness,
          `The wake for later did not come: ${conversation}`,
        );
      }
    },
  },
];
