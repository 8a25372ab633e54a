import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { unstorable } from "../samples/unstorable.ts";

export const appendCases: Case[] = [
  {
    name: "append numbers events from 1 without a gap and returns the last number",
    async check({ store }) {
      assertEqual(await store.append(key, remarks(1)), 1, "the first append");
      assertEqual(await store.append(key, remarks(3)), 4, "an append of three");
      assertEqual(await store.append(key, remarks(1)), 5, "the next append");
      assertEqual(await seqsOf(store), [1, 2, 3, 4, 5], "the numbers in the log");
    },
  },
  {
    name: "append leaves no gap and no duplicate when many run at once",
    async check({ store }) {
      const batches = Array.from({ length: 60 }, (_, index) => remarks(1 + (index % 4), `writer ${index}, remark`));
      const ends = await Promise.all(batches.map((batch) => store.append(key, batch)));
      const log = await store.load(key);
      assertEqual(
        log.map(({ seq }) => seq),
        log.map((_, index) => index + 1),
        "the numbers in the log",
      );
      assertEqual(log.length, batches.flat().length, "the number of events");
      for (const [index, batch] of batches.entries()) {
        const end = ends[index] ?? 0;
        assertEqual(
          log.slice(end - batch.length, end).map((event) => "content" in event && event.content),
          batch.map(({ content }) => content),
          `the events that end at number ${end}, which append returned for batch ${index}`,
        );
      }
    },
  },
  {
    name: "append stores nothing of a batch that holds an invalid event",
    async check({ store }) {
      for (const [problem, event] of unstorable()) {
        const batch = [said("before"), event as LogEvent, said("after")];
        const error = await assertRejects(store.append(key, batch), "invalid_event", problem);
        assertEqual(/\b1\b/.test(error.message), true, `${problem}: "${error.message}" names the event's index, 1`);
        assertEqual(await store.load(key), [], `the log after ${problem}`);
      }
      assertEqual(await store.conversations(), [], "the conversations after refused batches only");
      assertEqual(await store.append(key, remarks(1)), 1, "the first valid append");
    },
  },
  {
    name: "append names the type that is not persisted",
    async check({ store }) {
      const event = { type: "metric", timestamp: 1 } as unknown as LogEvent;
      const { message } = await assertRejects(store.append(key, [event]), "invalid_event", "a metric event");
      assertEqual(message.includes("metric"), true, `"${message}" names the type`);
    },
  },
  {
    name: "append with `expected` stores only if it is the last number, and its error has the actual one",
    async check({ store }) {
      assertEqual(await store.append(key, remarks(2), { expected: 0 }), 2, "expected 0 on an empty log");
      for (const expected of [0, 1, 3, 100, -1]) {
        const error = await assertRejects(
          store.append(key, remarks(1), { expected }),
          "conflict",
          `expected ${expected}`,
        );
        assertEqual([error.expected, error.actual], [expected, 2], "the conflict's expected and actual number");
      }
      await assertRejects(store.append(key, [], { expected: 1 }), "conflict", "an empty batch with a wrong `expected`");
      assertEqual(await seqsOf(store), [1, 2], "the log after conflicts");
      assertEqual(await store.append(key, remarks(1), { expected: 2 }), 3, "expected 2 on a log of two");
      await assertRejects(store.append({ conversation: "new" }, remarks(1), { expected: 1 }), "conflict", "a new log");
      assertEqual(await store.load({ conversation: "new" }), [], "the new log after a conflict");
    },
  },
  {
    name: "append lets one of many writers with the same `expected` win",
    async check({ store }) {
      await store.append(key, remarks(1));
      const writers = Array.from({ length: 20 }, () => store.append(key, remarks(2), { expected: 1 }));
      const results = await Promise.allSettled(writers);
      assertEqual(results.filter(({ status }) => status === "fulfilled").length, 1, "the number of winners");
      assertEqual(await seqsOf(store), [1, 2, 3], "the log");
    },
  },
  {
    name: "append of a batch id that was stored before returns the first result and stores nothing",
    async check({ store }) {
      assertEqual(await store.append(key, remarks(2), { batch: "b", expected: 0 }), 2, "the first time");
      await store.append(key, remarks(3));
      assertEqual(await store.append(key, remarks(2), { batch: "b" }), 2, "the second time");
      assertEqual(await store.append(key, remarks(2), { batch: "b", expected: 0 }), 2, "with a wrong `expected`");
      assertEqual(await store.append(key, remarks(7, "other"), { batch: "b" }), 2, "with other events");
      assertEqual(await seqsOf(store), [1, 2, 3, 4, 5], "the log");
    },
  },
  {
    name: "append keeps the batch ids of conversations apart",
    async check({ store }) {
      const others = [{ conversation: "d" }, { conversation: "c", user: "u" }];
      for (const one of [key, ...others]) {
        assertEqual(await store.append(one, remarks(1), { batch: "" }), 1, "the first batch of a conversation");
        assertEqual(await store.append(one, remarks(2), { batch: "b" }), 3, "the second batch of a conversation");
        assertEqual((await store.load(one)).length, 3, "the number of events");
      }
    },
  },
  {
    name: "append of a refused batch does not use up its batch id",
    async check({ store }) {
      await assertRejects(store.append(key, remarks(1), { batch: "b", expected: 5 }), "conflict", "a wrong `expected`");
      await assertRejects(store.append(key, [{} as LogEvent], { batch: "b" }), "invalid_event", "an invalid event");
      assertEqual(await store.append(key, [], { batch: "b" }), 0, "an empty batch");
      assertEqual(
        await store.append(key, remarks(2), { batch: "b", expected: 0 }),
        2,
        "the same id with a valid batch",
      );
    },
  },
  {
    name: "append stores a batch once when it is sent many times at once",
    async check({ store }) {
      const sent = Array.from({ length: 20 }, () => store.append(key, remarks(3), { batch: "b" }));
      assertEqual([...new Set(await Promise.all(sent))], [3], "the distinct results");
      assertEqual(await seqsOf(store), [1, 2, 3], "the log");
    },
  },
  {
    name: "append of an empty batch changes nothing and returns the last number",
    async check({ store }) {
      assertEqual(await store.append(key, []), 0, "an empty batch for a new conversation");
      assertEqual(await store.conversations(), [], "the conversations");
      await store.append(key, remarks(2));
      await store.append({ conversation: "newer" }, remarks(1));
      const listed = await store.conversations();
      assertEqual(await store.append(key, []), 2, "an empty batch for a log of two");
      assertEqual(await store.conversations(), listed, "the conversations");
    },
  },
  {
    name: "append stores events as they are at the time of the call",
    async check({ store }) {
      const event = { type: "record" as const, kind: "summary" as const, data: { list: [1] }, timestamp: 1 };
      const batch: LogEvent[] = [event];
      const appended = store.append(key, batch);
      event.data.list.push(2);
      batch.push(said("too late"));
      await appended;
      event.timestamp = 2;
      const expected = [{ type: "record", kind: "summary", data: { list: [1] }, timestamp: 1, seq: 1 }];
      assertEqual(await store.load(key), expected, "the log");
    },
  },
];

async function seqsOf(store: Store): Promise<number[]> {
  return (await store.load(key)).map(({ seq }) => seq);
}
