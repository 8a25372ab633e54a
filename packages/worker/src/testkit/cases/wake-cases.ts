import { eventually, show, within } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { ring, startLooker } from "../fleet/looker.ts";

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
      const senders = { a: here, b: there, c: there, d: here };
      for (const [conversation, sender] of Object.entries(senders)) {
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
    name: "a wake for later calls a handler at its time, at most two seconds late",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened);
      await ring(opened, "later", { at: Date.now() + delay });
      const isClaimed = () => looker.claimed.includes("later");
      await eventually(isClaimed, longest(subject), "No handler was called that could claim the conversation");
    },
  },
  {
    name: "wakes of one conversation for now and for later both call a handler, in either order",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened);
      const claims = (conversation: string) => looker.claimed.filter((claimed) => claimed === conversation).length;
      const [soon, never] = [Date.now() + delay, Date.now() + 3_600_000];
      await ring(opened, "later first", { at: never });
      await ring(opened, "later first", { at: soon });
      await ring(opened, "later first");
      await ring(opened, "now first");
      await ring(opened, "now first", { at: soon });
      for (const conversation of ["later first", "now first"]) {
        await eventually(() => claims(conversation) >= 1, subject.patience, `No wake for now came: ${conversation}`);
      }
      // On a slow machine one claim may have taken both messages.
      const isClaimed = async () => Number(await opened.store.nextWake()) > Date.now() + 1_800_000;
      await eventually(isClaimed, longest(subject), "No wake for later came");
    },
  },
  {
    name: "conversations and users of any name wake a worker",
    async check(subject) {
      const opened = await subject.open();
      const { looker } = await startLooker(subject, opened);
      const names = ["", "\0", "\ud800", '\'; DROP TABLE "x" --', "{}\r\n", "é", "e\u0301", "x".repeat(5000)];
      for (const name of names) {
        for (const user of [undefined, name]) {
          const { length } = looker.claimed;
          await ring(opened, name, { user });
          const isClaimed = () => looker.claimed.length > length;
          await eventually(isClaimed, subject.patience, `No handler was called for ${show({ name, user })}`);
        }
      }
    },
  },
];

/** Milliseconds from now to what is later. */
const delay = 700;

/** Milliseconds in which it must have come: two seconds late, and two that a busy machine may take. */
function longest({ patience }: { patience: number }): number {
  return delay + Math.min(4000, patience);
}
