import type { Json, LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import { maxStoredBytes } from "../../adapter/json-size.ts";
import type { Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { everyKind, key, oddData, oddTexts, remarks, said } from "../samples/events.ts";

export const roundTripCases: Case[] = [
  ...Object.entries(everyKind).map(([kind, event]) => comesBack(`a ${kind} event`, event)),
  ...Object.entries(oddTexts).map(([what, content]) => comesBack(`text with ${what}`, said(content))),
  ...Object.entries(oddData).map(([what, data]) =>
    comesBack(`a record with ${what}`, { type: "record", kind: "summary", data, timestamp: 1 }),
  ),
  {
    name: "the log keeps ten megabytes in one event",
    async check({ store }) {
      const content = "0123456789abcdé\n".repeat(625_000);
      await store.append(key, [said("before"), said(content), said("after")]);
      const log = await store.load(key);
      assertEqual(
        log.map((event) => "content" in event && event.content.length),
        [6, 10_000_000, 5],
        "the lengths",
      );
      assertEqual(log[1]?.type === "user" && log[1].content === content, true, "whether the text came back unchanged");
    },
  },
  {
    name: "an event, a message and a profile of more than 100,000,000 bytes as JSON are refused, by an error that says so",
    async check({ store }) {
      const content = "x".repeat(maxStoredBytes);
      await store.append(key, [said("before")]);
      const refusals = {
        invalid_event: () => store.append(key, [said("fits"), said(content)], { batch: "large" }),
        invalid_message: () => store.post(key, { kind: "prompt", content }, { id: "large" }),
        invalid_profile: () => store.saveProfile("ada", { content }),
      } as const;
      for (const [code, refused] of Object.entries(refusals)) {
        const { message } = await assertRejects(refused(), code as keyof typeof refusals, code);
        assertEqual(message.includes(String(maxStoredBytes)), true, `${code}: whether the message names the limit`);
      }
      await isLog(store, [{ ...said("before"), seq: 1 }], "the log after what was refused");
      assertEqual(await store.inbox(key), [], "the inbox after a message that was refused");
      assertEqual(await store.loadProfile("ada"), null, "the profile after one that was refused");
      assertEqual(await store.append(key, [said("fits")], { batch: "large" }), 2, "the batch id of what was refused");
    },
  },
  {
    name: "the log contains well-formed text: a lone surrogate becomes U+FFFD",
    async check({ store }) {
      await store.append(key, [
        said("\ud83d alone, \ude00 too, \ud83d\ude00 a pair"),
        { type: "record", kind: "summary", data: { "k\udfff": ["\ud800"] }, timestamp: 1 },
      ]);
      const expected = [
        { ...said("\ufffd alone, \ufffd too, 😀 a pair"), seq: 1 },
        { type: "record", kind: "summary", data: { "k\ufffd": ["\ufffd"] }, timestamp: 1, seq: 2 },
      ];
      await isLog(store, expected, "the log");
    },
  },
  {
    name: "the log leaves out properties that are undefined",
    async check({ store }) {
      const event = { ...said("x"), origin: undefined } as unknown as LogEvent;
      const record: LogEvent = {
        type: "record",
        kind: "summary",
        data: { a: undefined } as unknown as Json,
        timestamp: 1,
      };
      await store.append(key, [event, record]);
      await isLog(
        store,
        [
          { ...said("x"), seq: 1 },
          { ...record, data: {}, seq: 2 },
        ],
        "the log",
      );
    },
  },
  {
    name: "the log gives an event that was loaded from another log a new number",
    async check({ store }) {
      await store.append(key, remarks(3));
      const copy = { conversation: "copy" };
      await store.append(copy, await store.load(key, { after: 1 }));
      assertEqual(
        (await store.load(copy)).map(({ seq }) => seq),
        [1, 2],
        "the numbers in the copy",
      );
    },
  },
  {
    name: "the log cannot be changed through the result of load",
    async check({ store }) {
      const record: LogEvent = { type: "record", kind: "summary", data: { list: [1] }, timestamp: 1 };
      await store.append(key, [record, said("x")]);
      const loaded = await store.load(key);
      const [first] = loaded;
      if (first?.type === "record") (first.data as { list: number[] }).list.push(2);
      if (first) first.timestamp = 99;
      loaded.reverse().pop();
      await isLog(
        store,
        [
          { ...record, seq: 1 },
          { ...said("x"), seq: 2 },
        ],
        "the log",
      );
      const listed = await store.conversations();
      for (const summary of listed.splice(0)) summary.title = "changed";
      assertEqual(
        (await store.conversations()).map(({ title }) => title),
        ["x"],
        "the titles",
      );
    },
  },
];

function comesBack(what: string, event: LogEvent): Case {
  return {
    name: `the log gives back ${what} unchanged`,
    async check({ store }) {
      await store.append(key, [event, said("next")]);
      const expected = [
        { ...event, seq: 1 },
        { ...said("next"), seq: 2 },
      ];
      await isLog(store, expected, "the log");
    },
  };
}

async function isLog(store: Store, expected: unknown[], what: string): Promise<void> {
  assertEqual(await store.load(key), expected, what);
}
