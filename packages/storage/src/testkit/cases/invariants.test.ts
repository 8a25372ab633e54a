import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allCases } from "./all-cases.ts";

/** The invariants of store.ts, wakes.ts and live.ts by their labels, each with the cases that prove it. */
const proofs: Record<string, string[]> = {
  loss: [
    "lost aborts before the store lets another owner in, without a call of the holder",
    "lost has aborted if it is first read after the lease expired",
    "lost does not abort while the lease is renewed in time, and does at the end of the last renewal",
  ],
  numbering: [
    "append numbers events from 1 without a gap and returns the last number",
    "append leaves no gap and no duplicate when many run at once",
    "eight processes append 500 times each to a shared and to a separate conversation: no gap, no duplicate, no loss",
  ],
  isolation: [
    "every conversation of every user is a separate log, whatever their names are",
    "a user's list contains only the user's conversations, whatever their names are",
    "search finds only the user's conversations, whatever the names of users are",
    "follow yields no event of another conversation, whatever their names are",
    "profiles are separate for every user, whatever their names are, and for the anonymous user",
  ],
  errors: [
    "close makes every later call fail with `closed`, and may be called again",
    "load accepts any whole number as `last`, and refuses invalid counts",
    "search returns at most `limit` matches, 20 by default, and refuses invalid counts",
    "close waits for running calls, or fails them with `closed`: no change is half done",
  ],
  atomicity: [
    "append stores nothing of a batch that holds an invalid event",
    "a killed process leaves whole batches, every acknowledged one, and a working store",
  ],
  inbox: [
    "append takes the messages that it names out of the inbox, and stores its events",
    "append that takes a message which is not in the inbox, or one twice, changes nothing",
    "append that is refused takes nothing",
    "one of many appends takes a message, and the others store nothing",
    "one of many processes takes a message",
    "a process that is killed while it posts and takes leaves each message in the log once, or unread",
  ],
  visibility: [
    "load reads its own writes, in a log of thousands of events",
    "other processes read, list and find an append at once",
    "a store that is opened again returns every event unchanged",
  ],
  idempotency: [
    "append of a batch id that was stored before returns the first result and stores nothing",
    "a batch that was stored before returns the first result, also without the lease and with a lost one",
    "a batch that was stored before returns the first result, whatever it takes",
    "a store that is opened again knows the batches it has stored",
  ],
  erasure: [
    "delete leaves nothing behind: no log, no entry in the list, no batch id, no match, no lease",
    "search finds nothing of a deleted conversation, nor of an earlier one with the same name",
    "delete ends the lease of the conversation, also that of another owner",
    "delete removes the messages of a conversation with their ids, its wakes, its claim and its scope",
    "delete removes what only has a message, a timer or is parked, and then it existed",
    "a store that is opened again has no message, wake or scope of what was deleted",
    "a store that is opened again has nothing of what was deleted",
  ],
  freshness: [
    "search finds the events of every append that has just resolved",
    "search finds each of many events that were appended and searched for at once",
    "processes that search and append at once find every event once",
    "search finds only the user's conversations, whatever the names of users are",
  ],
  fencing: [
    "the same owner takes a lease over, and the earlier lease is lost",
    "an expired lease cannot append, renew or end the lease of the next owner",
    "of two leases at most the later can append, with a process whose clock is a day fast",
    "of two leases at most the later can append, with a process whose clock is a day slow",
  ],
  renewal: [
    "renew of the store extends all given leases, each by its first `ttl` or all by the given one",
    "renew of the store names the leases that have ended, and extends the others",
    "renew of the store extends a thousand leases of many users, whatever their names are",
    "renew of the store loses no lease while its holder appends",
  ],
  order: [
    "follow yields each event once and in order to many followers while many append",
    "follow misses no event, however close an append is to the start of the wait",
    "follow yields each event of other processes once and in order",
  ],
  once: [
    "post stores a message once per id, however often it is posted",
    "post of a message under the id of another is refused, and the first one stays",
    "post of a message that was taken changes nothing, and of another under its id is refused",
    "messages of each process keep the order of its posts, and many that post one message post it once",
    "a store that is opened again has the messages, in order, and knows those that were taken",
  ],
  "message order": [
    "post puts messages into the inbox, in order and with the times of the posts",
    "messages of each sender keep the order of its posts while many post",
    "messages of each process keep the order of its posts, and many that post one message post it once",
    "a message for later comes into the inbox at its time, in the order of the posts",
  ],
  "message isolation": ["messages are separate for every user and conversation, whatever their names are"],
  "no change is missed": [
    "watch misses no change, however close it is to the start of the wait",
    "watch yields to many watchers while many append and post, until each has seen everything",
    "watch yields after the changes of other processes",
  ],
  slots: [
    "slot gives as many places as the limit says, and null when all are taken",
    "slot follows the limit of each call",
    "slot gives no more places than the limit to many who ask at once",
    "processes never hold more places than the limit, and that of a killed one is free at its end",
  ],
  claims: [
    "claim gives each conversation to one of many owners that ask at once",
    "what is claimed is due again at the end of the claim, for the same reasons and whatever comes in between",
    "a claim that has ended can no longer be settled, and nothing changes",
    "processes that claim at once never claim the same conversation, nor more of a user than allowed",
    "what a killed process has claimed is due again at the end of the claim, and what it has leased, too",
  ],
  "no wake is missed": [
    "watchWakes misses nothing, however close it comes to the start of the wait",
    "watchWakes yields to workers until they have claimed everything that becomes due",
    "watchWakes yields when something becomes due by another process, or by the end of its claim",
  ],
  "nothing stored": ["live stores nothing: no log, list, search or inbox shows it, and a delete does not end it"],
  "no hole": [
    "live.follow yields what is open from its beginning, and then what is written",
    "live.follow leaves out what stands behind a hole, until the unit is given from its beginning",
    "live.follow yields what many runs write at once to many followers that come and go",
    "live pieces of another process arrive, in the middle of a unit too, while it and its followers come and go",
    "live pieces arrive in other processes, in the middle of a unit too, while they come and go",
  ],
  bounded: ["live.follow drops what a slow follower does not pull, and then yields what is open from its beginning"],
  "live isolation": [
    "live.follow yields no piece of another conversation, whatever their names are",
    "live.follow yields no piece of another conversation of another process, whatever their names are",
  ],
};

describe("the kit", () => {
  it("proves every invariant of the contract", async () => {
    const files = ["store.ts", "wakes.ts", "live.ts"].map((name) =>
      readFile(new URL(`../../${name}`, import.meta.url), "utf8"),
    );
    const contract = (await Promise.all(files)).join("\n");
    const invariants = Array.from(contract.matchAll(/INVARIANT(?: \(([^)]+)\))?:/g), ([, label]) => label);
    expect(invariants).toEqual(Object.keys(proofs));
  });

  it.each(Object.entries(proofs))("has the cases that prove the invariant of %s", (_, names) => {
    const known = allCases.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});
