import type { Json, LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertOutOfRange } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { everyKind, hugeCounts, named, noCounts, remarks, said } from "../samples/events.ts";

const titles: [what: string, events: LogEvent[], title: string][] = [
  ["of what the person said first", [said("Hello there"), said("Second")], "Hello there"],
  [
    "on one line, white space and control characters as one blank",
    [said(" \n a\t\tb\u0000\u001b[1mc\u2028d ")],
    "a b [1mc d",
  ],
  ["of at most 80 characters", [said(`${"x".repeat(80)}y`)], "x".repeat(80)],
  ["without a blank at its end", [said(`${"x".repeat(79)} y`)], "x".repeat(79)],
  ["of whole characters", [said("🙂".repeat(100))], "🙂".repeat(80)],
  ["that passes over the framework's own messages", [{ ...said("nudged"), origin: "nudge" }, said("Mine")], "Mine"],
  ["that passes over blank messages", [said(" \n"), said("Then this")], "Then this"],
  ["that is empty when the person said nothing", [everyKind.think, everyKind.respond].flatMap((one) => one ?? []), ""],
  ["of well-formed text", [said("\ud800!")], "\ufffd!"],
  [
    "that a person gave, and of several the last",
    [said("Hello"), named("One"), said("x"), named(" Two\n\u001b "), said("y")],
    "Two",
  ],
  ["that a person gave before the first message", [named("Mine"), said("Hello")], "Mine"],
  ["of at most 80 characters, also if a person gave it", [said("Hello"), named("🙂".repeat(100))], "🙂".repeat(80)],
  [
    "that a person gave, whatever other records hold",
    [named("Mine"), ...[null, [], { text: 5 }, { text: " \n" }].map(titleRecord), said("Hello")],
    "Mine",
  ],
];

export const listingCases: Case[] = [
  {
    name: "conversations lists the most recently appended first, whatever the events' timestamps say",
    async check({ store }) {
      for (const [index, conversation] of ["a", "b", "c"].entries()) {
        await store.append({ conversation }, [said("x", 1_000 - index)]);
      }
      assertEqual(await names(store), ["c", "b", "a"], "the list");
      await store.append({ conversation: "a" }, [said("x", 1)]);
      assertEqual(await names(store), ["a", "c", "b"], "the list after an append to the oldest");
      await store.append({ conversation: "a" }, [said("x", 1)]);
      await store.load({ conversation: "b" });
      assertEqual(await names(store), ["a", "c", "b"], "the list after a load");
    },
  },
  {
    name: "conversations returns the number of events and the first and last timestamp",
    async check({ store }) {
      await store.append({ conversation: "c" }, [said("first", 20.5), said("x", 30)]);
      const summary = { conversation: "c", title: "first", events: 2, createdAt: 20.5, updatedAt: 30 };
      assertEqual(await store.conversations(), [summary], "the list");
      await store.append({ conversation: "c" }, [{ type: "cancelled", timestamp: 10.25 }]);
      assertEqual(
        await store.conversations(),
        [{ ...summary, events: 3, updatedAt: 10.25 }],
        "the list after an append",
      );
      await store.append({ conversation: "c", user: "u" }, [said("theirs", 5)]);
      const theirs = { conversation: "c", user: "u", title: "theirs", events: 1, createdAt: 5, updatedAt: 5 };
      assertEqual(await store.conversations({ user: "u" }), [theirs], "the list of a user");
    },
  },
  ...titles.map(
    ([what, events, title]): Case => ({
      name: `conversations gives a title ${what}`,
      async check({ store }) {
        await store.append({ conversation: "together" }, events);
        for (const event of events) await store.append({ conversation: "one by one" }, [event]);
        assertEqual(
          (await store.conversations()).map((one) => one.title),
          [title, title],
          "the titles",
        );
      },
    }),
  ),
  {
    name: "conversations returns at most `limit`, 50 by default, and continues after `before`",
    async check({ store }) {
      for (let index = 0; index < 55; index++) await store.append({ conversation: `c${index}` }, remarks(1));
      const all = Array.from({ length: 55 }, (_, index) => `c${54 - index}`);
      assertEqual(await names(store), all.slice(0, 50), "the list without options");
      assertEqual(await names(store, { limit: 1_000 }), all, "the list with a high limit");
      assertEqual(await names(store, { limit: 0 }), [], "the list with limit 0");
      assertEqual(await names(store, { before: "c10" }), all.slice(45), "the list after c10");
      assertEqual(await names(store, { before: "c0" }), [], "the list after its end");
      assertEqual(await names(store, { before: "never written" }), [], "the list after what is not in it");
      assertEqual(await names(store, { before: "" }), [], 'the list after "", which is not in it either');

      const paged: string[] = [];
      for (let page = await names(store, { limit: 7 }); page.length > 0; ) {
        paged.push(...page);
        page = await names(store, { limit: 7, before: paged.at(-1) });
      }
      assertEqual(paged, all, "the pages of seven");
    },
  },
  {
    name: "conversations accepts any whole number as `limit`, and refuses invalid counts",
    async check({ store }) {
      for (const conversation of ["a", "b"]) await store.append({ conversation }, remarks(1));
      for (const limit of hugeCounts)
        assertEqual(await names(store, { limit }), ["b", "a"], `the list with limit ${limit}`);
      for (const limit of noCounts)
        await assertOutOfRange(store.conversations({ limit }), `the list with limit ${limit}`);
    },
  },
];

/** A log from elsewhere may hold anything. */
function titleRecord(data: Json): LogEvent {
  return { type: "record", kind: "title", data, timestamp: 1 } as LogEvent;
}

async function names(store: Store, options?: { limit?: number; before?: string | undefined }): Promise<string[]> {
  return (await store.conversations(options)).map(({ conversation }) => conversation);
}
