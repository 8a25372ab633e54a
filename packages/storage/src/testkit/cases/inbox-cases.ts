import { assert, assertEqual, eventually } from "@cogency/protocol/testkit";
import type { InboxMessage } from "../../inbox.ts";
import type { Key } from "../../key.ts";
import type { Store } from "../../store.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { everyMessage, prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { trickyKeys, trickyNames } from "../samples/tricky-names.ts";
import { unstorableValues } from "../samples/unstorable.ts";
import { timeOf } from "./store-time.ts";

/** What is posted, and what the inbox holds. */
export const inboxCases: Case[] = [
  {
    name: "post puts messages into the inbox, in order and with the times of the posts",
    async check({ store }) {
      assertEqual(await store.inbox(key), [], "the inbox of a key that was never written");
      const before = await timeOf(store);
      await store.post(key, prompt("one"), { id: "b" });
      await store.post(key, { kind: "steer", content: "two", from: "ada" }, { id: "a" });
      await store.post(key, { kind: "cancel" }, { id: "c" });
      const after = await timeOf(store);
      const inbox = await store.inbox(key);
      assertEqual(
        inbox.map(({ id, message }) => [id, message]),
        [
          ["b", { kind: "prompt", content: "one" }],
          ["a", { kind: "steer", content: "two", from: "ada" }],
          ["c", { kind: "cancel" }],
        ],
        "the ids and the messages",
      );
      const times = [before, ...inbox.map(({ postedAt }) => postedAt), after];
      assertEqual(times, times.toSorted(byValue), "the times before, of and after the posts");
      for (const { id, postedAt, at } of inbox) assertEqual(at, postedAt, `the time at which ${id} became due`);
    },
  },
  {
    name: "post writes no event, lists no conversation, and needs no lease",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      await store.post(key, prompt("walnut"), { id: "a" });
      assertEqual(await store.load(key), [], "the log");
      assertEqual(await store.conversations(), [], "the list");
      assertEqual(await store.search("walnut", { user: undefined }), [], "what a search finds");
      assertEqual(await store.append(key, [said("first")], { lease, expected: 0 }), 1, "the first append");
      await store.post(key, prompt("another"), { id: "b" });
      assertEqual(await idsOf(store), ["a", "b"], "the inbox");
    },
  },
  {
    name: "post stores every message as it is given, and the inbox returns copies",
    async check({ store }) {
      for (const [what, message] of Object.entries(everyMessage)) await store.post(key, message, { id: what });
      const inbox = await store.inbox(key);
      assertEqual(
        inbox.map(({ id, message }) => [id, message]),
        Object.entries(everyMessage),
        "the messages",
      );
      for (const { message } of inbox) (message as { kind: string }).kind = "changed";
      const again = await store.inbox(key);
      assertEqual(
        again.map(({ message }) => message),
        Object.values(everyMessage),
        "the messages, once more",
      );
    },
  },
  {
    name: "post stores a message as it is at the time of the call, with well-formed strings",
    async check({ store }) {
      const content = { list: [1], "\ude00": "\ud83d" };
      const posted = store.post(key, { kind: "answer", question: "q\ud800", content }, { id: "a" });
      content.list.push(2);
      await posted;
      const wellFormed: InboxMessage = {
        kind: "answer",
        question: "q\ufffd",
        content: { list: [1], "\ufffd": "\ufffd" },
      };
      assertEqual((await store.inbox(key))[0]?.message, wellFormed, "the message");
      await store.post(key, wellFormed, { id: "a" });
      assertEqual(await idsOf(store), ["a"], "the inbox after a post of what was stored");
    },
  },
  {
    name: "a message may have ten megabytes",
    async check({ store }) {
      const content = "0123456789abcdé\n".repeat(625_000);
      await store.post(key, prompt(content), { id: "a" });
      await store.post(key, prompt(content), { id: "a" });
      const [stored, ...others] = await store.inbox(key);
      const isUnchanged = stored?.message.kind === "prompt" && stored.message.content === content;
      assertEqual([isUnchanged, others.length], [true, 0], "whether the text came back unchanged, and once");
    },
  },
  {
    name: "post stores a message once per id, however often it is posted",
    async check({ store }) {
      const message: InboxMessage = { kind: "deny", question: "q", reason: "No." };
      await store.post(key, message, { id: "a" });
      const [first] = await store.inbox(key);
      await store.post(key, message, { id: "a" });
      await store.post(key, { reason: "No.", question: "q", kind: "deny" }, { id: "a" });
      await store.post(key, { ...message, from: undefined } as unknown as InboxMessage, { id: "a" });
      for (const at of [0, (await timeOf(store)) + hour]) await store.post(key, message, { id: "a", at });
      assertEqual(await store.inbox(key), [first], "the inbox");
      await Promise.all(Array.from({ length: 20 }, () => store.post(key, prompt("twenty times"), { id: "b" })));
      assertEqual(await idsOf(store), ["a", "b"], "the ids after twenty posts at once");
    },
  },
  {
    name: "post of a message under the id of another is refused, and the first one stays",
    async check({ store }) {
      const message: InboxMessage = { kind: "approve", question: "q", from: "ada" };
      await store.post(key, message, { id: "a" });
      const before = await store.inbox(key);
      const others: InboxMessage[] = [
        { kind: "approve", question: "q" },
        { kind: "approve", question: "q", from: "Ada" },
        { kind: "deny", question: "q", from: "ada" },
        { ...message, proof: { key: "k", mac: "0" } },
      ];
      for (const other of others) {
        const refusal = await assertRejects(store.post(key, other, { id: "a" }), "conflict", "another message");
        assertEqual([refusal.name, refusal.id], ["MessageConflictError", "a"], "the refusal's name and id");
        assert(refusal.message.includes('"a"'), `"${refusal.message}" must name the id.`);
      }
      assertEqual(await store.inbox(key), before, "the inbox");
    },
  },
  {
    name: "one of many different messages that are posted at once under one id is stored",
    async check({ store }) {
      const posts = Array.from({ length: 20 }, (_, index) => store.post(key, prompt(`${index}`), { id: "a" }));
      const results = await Promise.allSettled(posts);
      const winners = results.flatMap(({ status }, index) => (status === "fulfilled" ? [prompt(`${index}`)] : []));
      assertEqual(winners.length, 1, "the number of posts that succeed");
      assertEqual(
        (await store.inbox(key)).map(({ message }) => message),
        winners,
        "the messages",
      );
    },
  },
  {
    name: "messages of each sender keep the order of its posts while many post",
    async check({ store }) {
      const sender = async (name: string) => {
        for (let index = 0; index < 20; index++) await store.post(key, prompt(`${index}`), { id: `${name} ${index}` });
      };
      const senders = Array.from({ length: 8 }, (_, index) => `sender ${index}`);
      await Promise.all(senders.map(sender));
      const ids = await idsOf(store);
      for (const name of senders) {
        assertEqual(
          ids.filter((id) => id.startsWith(`${name} `)),
          Array.from({ length: 20 }, (_, index) => `${name} ${index}`),
          `the messages of ${name}`,
        );
      }
    },
  },
  {
    name: "messages are separate for every user and conversation, whatever their names are",
    async check({ store }) {
      for (const [index, one] of trickyKeys.entries()) await store.post(one, prompt(`inbox ${index}`), { id: "a" });
      for (const [index, one] of trickyKeys.entries()) {
        const messages = (await store.inbox(one)).map(({ message }) => message);
        assertEqual(messages, [prompt(`inbox ${index}`)], `inbox ${index}`);
      }
      const [first, second] = trickyKeys as [Key, Key];
      await store.append(first, remarks(1), { takes: ["a"] });
      assertEqual([await idsOf(store, first), await idsOf(store, second)], [[], ["a"]], "two inboxes, one taken from");
    },
  },
  {
    name: "post and append tell the ids of messages apart, whatever they are",
    async check({ store }) {
      for (const id of trickyNames) await store.post(key, prompt(id), { id });
      assertEqual(await idsOf(store), trickyNames, "the ids");
      for (const id of trickyNames) await store.append(key, remarks(1), { takes: [id] });
      assertEqual(await idsOf(store), [], "the inbox after each was taken");
      for (const id of trickyNames) await store.post(key, prompt(id), { id });
      assertEqual(await idsOf(store), [], "the inbox after each was posted once more");
    },
  },
  {
    name: "a message for later is not in the inbox before its time, and cannot be taken",
    async check({ store }) {
      const at = (await timeOf(store)) + hour;
      await store.post(key, prompt("in an hour"), { id: "a", at });
      await store.post(key, prompt("in ages"), { id: "b", at: Number.MAX_VALUE });
      assertEqual(await store.inbox(key), [], "the inbox");
      for (const id of ["a", "b"]) {
        await assertRejects(store.append(key, remarks(1), { takes: [id] }), "conflict", "taking it before its time");
      }
      await store.post(key, prompt("in an hour"), { id: "a" });
      await assertRejects(store.post(key, prompt("now"), { id: "a" }), "conflict", "another message under its id");
      assertEqual(await store.inbox(key), [], "the inbox after a post without the time");
      assertEqual(await store.load(key), [], "the log");
    },
  },
  {
    name: "a message for later comes into the inbox at its time, in the order of the posts",
    async check({ store, patience }) {
      const at = (await timeOf(store)) + 80;
      await store.post(key, prompt("later"), { id: "later", at });
      await store.post(key, prompt("now"), { id: "now" });
      const inbox = await eventually(
        async () => {
          const found = await store.inbox(key);
          return found.length > 1 && found;
        },
        patience,
        "The message did not come into the inbox",
      );
      assert((await timeOf(store)) >= at, "The message must not be in the inbox before its time.");
      assertEqual(
        inbox.map(({ id }) => id),
        ["later", "now"],
        "the inbox",
      );
      const [later] = inbox;
      assertEqual(later?.at, Math.max(at, later?.postedAt ?? 0), "the time at which the message became due");
      await store.append(key, remarks(1), { takes: ["later"] });
      assertEqual(await idsOf(store), ["now"], "the inbox after it was taken");
    },
  },
  {
    name: "a message for a time that has passed is in the inbox at once, due from its post",
    async check({ store }) {
      const times = [0, -1e15, -Number.MAX_VALUE, 0.5];
      for (const [index, at] of times.entries()) await store.post(key, prompt("now"), { id: `${index}`, at });
      const inbox = await store.inbox(key);
      assertEqual(inbox.length, times.length, "the number of messages");
      for (const { postedAt, at } of inbox) assertEqual(at, postedAt, "the time at which it became due");
    },
  },
  {
    name: "post refuses what JSON cannot hold and times that are not finite, and keeps nothing",
    async check({ store }) {
      for (const [what, value] of Object.entries(unstorableValues())) {
        const answer = { kind: "answer", question: "q", content: [value] } as unknown as InboxMessage;
        await assertRejects(store.post(key, answer, { id: "a" }), "invalid_message", what);
        await assertRejects(
          store.post(key, value as InboxMessage, { id: "a" }),
          "invalid_message",
          `${what} as a message`,
        );
      }
      await assertRejects(
        store.post(key, undefined as unknown as InboxMessage, { id: "a" }),
        "invalid_message",
        "nothing",
      );
      for (const at of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(store.post(key, prompt("x"), { id: "a", at }), `a post at ${at}`);
      }
      assertEqual(await store.inbox(key), [], "the inbox");
      assertEqual(await store.nextWake(), undefined, "when something is due");
      await store.post(key, prompt("valid"), { id: "a" });
      assertEqual(await idsOf(store), ["a"], "the inbox after a valid post with the same id");
    },
  },
];

/** The ids in the inbox. */
export async function idsOf(store: Pick<Store, "inbox">, of: Key = key): Promise<string[]> {
  return (await store.inbox(of)).map(({ id }) => id);
}

function byValue(one: number, other: number): number {
  return one - other;
}
