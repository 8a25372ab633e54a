import { assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import { needing } from "../case.ts";
import type { OtherCall } from "../process/other-process.ts";
import { key, remarks, said } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { day } from "../samples/times.ts";
import { claimAll } from "./claiming.ts";
import { idsOf } from "./inbox-cases.ts";
import { seesAll } from "./watch-cases.ts";
import { watcherOf } from "./watcher.ts";

/** Messages of several processes that have the same data open. */
export const inboxProcessCases = needing("elsewhere", [
  {
    name: "a process that is killed while it posts and takes leaves each message in the log once, or unread",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      const endless = other.callAll(Array.from({ length: 10_000 }, (_, group) => exchange(group)).flat());
      endless.catch(() => {});
      await eventually(
        async () => (await store.load(key)).length >= 10 * groupSize,
        patience,
        "The other process did not append",
      );
      await other.end();
      const { log, unread } = await settled(store, patience);
      const known = [...log, ...unread];
      assertEqual(log.length % groupSize, 0, "the number of events of a batch that is not whole");
      assertEqual(known, idsUpTo(known.length), "the messages in the log, and after them those in the inbox");

      const later = await startProcess();
      for (const id of known) await later.post(key, prompt(id), { id });
      assertEqual(await idsOf(store), unread, "the inbox after every message was posted once more");
      for (const id of log.slice(-groupSize)) {
        await assertRejects(later.append(key, remarks(1), { takes: [id] }), "conflict", "taking a message again");
      }
    },
  },
  {
    name: "messages of each process keep the order of its posts, and many that post one message post it once",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const others = await Promise.all(Array.from({ length: 4 }, () => startProcess()));
      const ids = (writer: number) => Array.from({ length: 100 }, (_, index) => `writer ${writer}, message ${index}`);
      const shared = Array.from({ length: 20 }, (_, index) => `shared ${index}`);
      await Promise.all(
        others.map((other, writer) =>
          other.callAll(
            [...ids(writer), ...shared].map((id): OtherCall => ({ method: "post", args: [key, prompt(id), { id }] })),
          ),
        ),
      );
      const inbox = await idsOf(store);
      for (const writer of others.keys()) {
        const its = inbox.filter((id) => id.startsWith(`writer ${writer},`));
        assertEqual(its, ids(writer), `the messages of writer ${writer}`);
      }
      assertEqual(inbox.filter((id) => id.startsWith("shared")).toSorted(), shared.toSorted(), "the shared messages");
    },
  },
  {
    name: "one of many processes takes a message",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const places = [store, ...(await Promise.all([startProcess(), startProcess()]))];
      const expected: string[] = [];
      for (let round = 0; round < 20; round++) {
        const ids = [`${round} a`, `${round} b`];
        for (const id of ids) await places[round % places.length]?.post(key, prompt(id), { id });
        const results = await Promise.allSettled(
          places.map((place, index) =>
            place.append(key, [said(`${round} by ${index}`)], { takes: index === 0 ? ids : ids.toReversed() }),
          ),
        );
        const codes = results.map((one) => (one.status === "fulfilled" ? "taken" : String(one.reason?.code)));
        assertEqual(codes.toSorted(), ["conflict", "conflict", "taken"], `the results of round ${round}`);
        expected.push(`${round} by ${codes.indexOf("taken")}`);
      }
      const log = (await store.load(key)).map((event) => ("content" in event ? event.content : ""));
      assertEqual([log, await idsOf(store)], [expected, []], "the log and the inbox");
    },
  },
  {
    name: "watch yields after the changes of other processes",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const others = await Promise.all([startProcess(), startProcess()]);
      const [other] = others;
      const watcher = watcherOf(store.watch(key), patience);
      await watcher.yields("at once");
      const changes: Record<string, () => Promise<unknown> | undefined> = {
        "after a post": () => other?.post(key, prompt("x"), { id: "a" }),
        "after an append": () => other?.append(key, remarks(1)),
        "after a delete": () => other?.delete(key),
      };
      for (const [what, change] of Object.entries(changes)) {
        const woken = watcher.yields(`${what} by another process`);
        await pause(20);
        await change();
        await woken;
      }
      const calls = (writer: number) =>
        Array.from({ length: 50 }, (_, index): OtherCall[] => [
          { method: "post", args: [key, prompt("x"), { id: `${writer} ${index}` }] },
          { method: "append", args: [key, remarks(1)] },
        ]).flat();
      const written = others.map((one, writer) => one.callAll(calls(writer)));
      await Promise.all([...written, seesAll(store, watcher, 200)]);
    },
  },
  {
    name: "a message of a process whose clock is a day fast or slow is in the inbox and due at once",
    async check({ store, startProcess }) {
      for (const clockAhead of [day, -day]) {
        const one = { conversation: `${clockAhead}` };
        const other = await startProcess({ clockAhead });
        await other.post(one, prompt("x"), { id: "a" });
        assertEqual(await idsOf(store, one), ["a"], "the inbox here");
        const claimed = (await claimAll(store)).map(({ key }) => key);
        assertEqual(claimed, [one], "what can be claimed here");
        await store.append(one, remarks(1), { takes: ["a"] });
        await store.post(one, prompt("x"), { id: "b" });
        assertEqual(await idsOf(other, one), ["b"], "the inbox there");
      }
    },
  },
]);

const groupSize = 3;

/** Posts three messages, then takes them in one append whose events are their ids. */
function exchange(group: number): OtherCall[] {
  const ids = Array.from({ length: groupSize }, (_, index) => idOf(group * groupSize + index));
  return [
    ...ids.map((id): OtherCall => ({ method: "post", args: [key, prompt(id), { id }] })),
    { method: "append", args: [key, ids.map((id) => said(id)), { takes: ids }] },
  ];
}

/** The contents of the log and the ids in the inbox. A server may still carry out the last request of a killed process. */
async function settled(store: Store, patience: number): Promise<{ log: string[]; unread: string[] }> {
  const look = async () => {
    const log = (await store.load(key)).map((event) => ("content" in event ? event.content : ""));
    return { log, unread: await idsOf(store) };
  };
  return eventually(
    async () => {
      const before = await look();
      await pause(100);
      const after = await look();
      return JSON.stringify(before) === JSON.stringify(after) && after;
    },
    patience,
    "The log and the inbox did not come to rest",
  );
}

function idOf(index: number): string {
  return `message ${index}`;
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => idOf(index));
}
