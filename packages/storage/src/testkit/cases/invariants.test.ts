import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allCases } from "./all-cases.ts";

/** The invariants of store.ts by their labels, each with the cases that prove it. */
const proofs: Record<string, string[]> = {
  numbering: [
    "append numbers events from 1 without a gap and returns the last number",
    "append leaves no gap and no duplicate when many run at once",
    "eight processes append 500 times each to one conversation, and to one of their own: no gap, no duplicate, no loss",
  ],
  isolation: [
    "every user's every conversation is a log of its own, whatever they are called",
    "a user's list holds the user's conversations only, whatever they are called",
    "search is of one user's conversations, whatever the users are called",
    "follow of one conversation is not told of another, whatever they are called",
    "profiles are of one user each, whatever they are called, and of the anonymous one",
  ],
  errors: [
    "close makes every later call fail with `closed`, and may be called again",
    "load takes any whole number for `last`, however large, and refuses what is no count",
    "search gives at most `limit` matches, 20 by default, and refuses what is no count",
    "close waits for what is going on, or that fails with `closed`: nothing is half done",
  ],
  atomicity: [
    "append stores nothing of a batch that holds an invalid event",
    "a process that is killed leaves whole batches, all that it was told of, and a store that goes on",
  ],
  visibility: [
    "load reads its own writes, in a log of thousands",
    "what a process has appended, others read, list and find at once",
    "a store that is opened again has every event as it was, whatever it holds",
  ],
  idempotency: [
    "append of a batch id that was stored before returns the first result and stores nothing",
    "a batch that was stored before returns the first result, also without the lease and after it is lost",
    "a store that is opened again knows the batches it has stored",
  ],
  erasure: [
    "delete leaves nothing behind: no log, no place in the list, no batch id, nothing to be found, no lease",
    "nothing of a deleted conversation is found, nor of the one that had its name before",
    "delete ends the lease of the conversation, whoever holds it",
    "a store that is opened again has nothing of what was deleted",
  ],
  freshness: [
    "search finds what append has just resolved, each time",
    "search finds each of many events that were appended and searched for at once",
    "processes that search and append at once find every event once",
    "search is of one user's conversations, whatever the users are called",
  ],
  fencing: [
    "the same owner takes a lease over, and the one before is lost",
    "a lease that ran out and went to another owner cannot append, renew or end the other's",
    "of two leases at most the later can append, with a process whose clock is a day fast",
    "of two leases at most the later can append, with a process whose clock is a day slow",
  ],
  order: [
    "follow gives each event once and in order to many followers while many append",
    "follow misses no event, however close together an append and the waiting for it are",
    "follow gives each event once and in order that other processes append",
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
