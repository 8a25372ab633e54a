import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allCases } from "./all-cases.ts";

/** The invariants of store.ts by their labels, each with the cases that prove it. */
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
  visibility: [
    "load reads its own writes, in a log of thousands of events",
    "other processes read, list and find an append at once",
    "a store that is opened again returns every event unchanged",
  ],
  idempotency: [
    "append of a batch id that was stored before returns the first result and stores nothing",
    "a batch that was stored before returns the first result, also without the lease and with a lost one",
    "a store that is opened again knows the batches it has stored",
  ],
  erasure: [
    "delete leaves nothing behind: no log, no entry in the list, no batch id, no match, no lease",
    "search finds nothing of a deleted conversation, nor of an earlier one with the same name",
    "delete ends the lease of the conversation, also that of another owner",
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
};

describe("the kit", () => {
  it("proves every invariant of the contract", async () => {
    const contract = await readFile(new URL("../../store.ts", import.meta.url), "utf8");
    const invariants = Array.from(contract.matchAll(/INVARIANT(?: \((\w+)\))?:/g), ([, label]) => label);
    expect(invariants).toEqual(Object.keys(proofs));
  });

  it.each(Object.entries(proofs))("has the cases that prove the invariant of %s", (_, names) => {
    const known = allCases.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});
