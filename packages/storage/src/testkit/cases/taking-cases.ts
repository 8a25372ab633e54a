import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import type { AppendOptions, Store } from "../../store.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { idsOf } from "./inbox-cases.ts";

/** How appends take messages out of the inbox. */
export const takingCases: Case[] = [
  {
    name: "append takes the messages that it names out of the inbox, and stores its events",
    async check({ store }) {
      await posted(store, ["a", "b", "c"]);
      assertEqual(await store.append(key, remarks(2), { takes: ["c", "a"], expected: 0 }), 2, "the append");
      assertEqual(await idsOf(store), ["b"], "the inbox");
      assertEqual((await store.load(key)).length, 2, "the number of events");
      assertEqual(await store.append(key, remarks(1), { takes: [] }), 3, "an append that takes nothing");
      assertEqual(await idsOf(store), ["b"], "the inbox after it");
      assertEqual(await store.append(key, remarks(1), { takes: ["b"] }), 4, "the append that takes the last");
      assertEqual(await idsOf(store), [], "the inbox at last");
    },
  },
  {
    name: "append that takes a message which is not in the inbox, or one twice, changes nothing",
    async check({ store }) {
      await posted(store, ["a", "b", "gone"]);
      await store.post({ ...key, user: "u" }, prompt("of another user"), { id: "theirs" });
      await store.post({ conversation: "d" }, prompt("elsewhere"), { id: "elsewhere" });
      await store.append(key, remarks(1), { takes: ["gone"] });
      const before = [await store.load(key), await store.inbox(key)];
      const refusedTakes: [id: string, takes: string[]][] = [
        ["absent", ["a", "absent"]],
        ["gone", ["gone", "a"]],
        ["theirs", ["a", "theirs", "b"]],
        ["elsewhere", ["elsewhere"]],
        ["", ["a", ""]],
        ["b", ["b", "a", "b"]],
      ];
      for (const [id, takes] of refusedTakes) {
        const options = { takes, batch: "batch" };
        const refusal = await assertRejects(store.append(key, remarks(3), options), "conflict", `taking ${id}`);
        assertEqual([refusal.name, refusal.id], ["MessageConflictError", id], "the refusal's name and id");
        assertEqual(
          [await store.load(key), await store.inbox(key)],
          before,
          `the log and the inbox after taking ${id}`,
        );
      }
      assertEqual(await store.append(key, remarks(1), { takes: ["a"], batch: "batch" }), 2, "the batch at last");
      assertEqual(await idsOf(store), ["b"], "the inbox after it");
    },
  },
  {
    name: "append that takes messages without events throws RangeError, and takes nothing",
    async check({ store }) {
      await posted(store, ["a"]);
      await assertOutOfRange(store.append(key, [], { takes: ["a"] }), "taking a message");
      await assertOutOfRange(store.append(key, [], { takes: ["absent"] }), "taking no message");
      assertEqual(await idsOf(store), ["a"], "the inbox");
      assertEqual(await store.append(key, [], { takes: [] }), 0, "taking nothing");
    },
  },
  {
    name: "append that is refused takes nothing",
    async check({ store }) {
      await posted(store, ["a"]);
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const refused = (options: AppendOptions, code: Parameters<typeof assertRejects>[1], events = remarks(1)) =>
        assertRejects(store.append(key, events, { takes: ["a"], ...options }), code, `an append with ${code}`);
      await refused({}, "lease_held");
      await refused({ lease: { token: lease.token + 1 } }, "lease_lost");
      await refused({ lease: { token: lease.token + 1 }, takes: ["absent"] }, "lease_lost");
      await refused({ lease, expected: 3 }, "conflict");
      await refused({ lease }, "invalid_event", [said("x"), {} as LogEvent & { type: "user" }]);
      assertEqual([await idsOf(store), await store.load(key)], [["a"], []], "the inbox and the log");
      await store.append(key, remarks(1), { lease, takes: ["a"] });
      assertEqual(await idsOf(store), [], "the inbox after an append with the lease");
    },
  },
  {
    name: "a batch that was stored before returns the first result, whatever it takes",
    async check({ store }) {
      await posted(store, ["a", "b"]);
      const batch = "batch";
      assertEqual(await store.append(key, remarks(2), { batch, takes: ["a"] }), 2, "the first time");
      await store.append(key, remarks(1));
      for (const takes of [["a"], ["b"], ["absent"], ["b", "b"], []]) {
        assertEqual(await store.append(key, remarks(2), { batch, takes }), 2, `once more, taking ${takes}`);
      }
      assertEqual(
        [await idsOf(store), (await store.load(key)).length],
        [["b"], 3],
        "the inbox and the length of the log",
      );
      const sent = Array.from({ length: 10 }, () => store.append(key, remarks(1), { batch: "at once", takes: ["b"] }));
      assertEqual([...new Set(await Promise.all(sent))], [4], "the distinct results of a batch that is sent ten times");
    },
  },
  {
    name: "one of many appends takes a message, and the others store nothing",
    async check({ store }) {
      await posted(store, ["a", "b"]);
      const appends = Array.from({ length: 20 }, (_, index) =>
        store.append(key, [said(`append ${index}`)], { takes: index % 2 === 0 ? ["a", "b"] : ["b", "a"] }),
      );
      const results = await Promise.allSettled(appends);
      const winners = results.flatMap(({ status }, index) => (status === "fulfilled" ? [`append ${index}`] : []));
      assertEqual(winners.length, 1, "the number of appends that succeed");
      const log = await store.load(key);
      assertEqual(
        log.map((event) => "content" in event && event.content),
        winners,
        "the log",
      );
      for (const result of results) {
        if (result.status === "rejected") await assertRejects(Promise.reject(result.reason), "conflict", "the others");
      }
    },
  },
  {
    name: "append takes hundreds of messages at once, as they are named at the time of the call",
    async check({ store }) {
      const ids = Array.from({ length: 300 }, (_, index) => `message ${index}`);
      await posted(store, [...ids, "left"]);
      const takes = [...ids];
      const appended = store.append(key, remarks(1), { takes });
      takes.push("left");
      await appended;
      assertEqual(await idsOf(store), ["left"], "the inbox");
    },
  },
  {
    name: "post of a message that was taken changes nothing, and of another under its id is refused",
    async check({ store }) {
      await posted(store, ["a"]);
      await store.append(key, remarks(1), { takes: ["a"] });
      for (let time = 0; time < 3; time++) await posted(store, ["a"]);
      await store.post(key, { content: "message a", kind: "prompt" }, { id: "a", at: 0 });
      assertEqual(await store.inbox(key), [], "the inbox");
      assertEqual(await store.nextWake(), undefined, "when something is due");
      const refusal = await assertRejects(store.post(key, prompt("b"), { id: "a" }), "conflict", "another message");
      assertEqual([refusal.name, refusal.id], ["MessageConflictError", "a"], "the refusal's name and id");
      assertEqual(await store.inbox(key), [], "the inbox after the refusal");
    },
  },
];

/** Posts one message for each id. */
async function posted(store: Pick<Store, "post">, ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.post(key, prompt(`message ${id}`), { id });
}
