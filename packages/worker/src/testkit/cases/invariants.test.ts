import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allCases } from "./all-cases.ts";

/** The invariants of dispatcher.ts by their labels, each with the cases that prove it. */
const proofs: Record<string, string[]> = {
  "nothing is swallowed": [
    "a wake calls a handler, from this process and from another one",
    "of many wakes at once none is swallowed",
    "a wake for later calls a handler at its time, at most two seconds late",
    "wakes of one conversation for now and for later both call a handler, in either order",
    "a wake of the same conversation that comes while the handler runs calls it again",
  ],
  "one at a time": ["a handler is called once at a time, and again for what comes meanwhile"],
  "back-pressure": [
    "while a handler runs, wakes go to other workers",
    "a worker without a place leaves wakes to others",
  ],
  stop: ["stop waits for the handler that runs, and no handler is called after it; another worker is"],
};

describe("the kit of dispatchers", () => {
  it("proves every invariant of the contract", async () => {
    const contract = await readFile(new URL("../../dispatcher.ts", import.meta.url), "utf8");
    const invariants = Array.from(contract.matchAll(/INVARIANT \(([^)]+)\):/g), ([, label]) => label);
    expect(invariants).toEqual(Object.keys(proofs));
  });

  it.each(Object.entries(proofs))("has the cases that prove the invariant of %s", (_, names) => {
    const known = allCases.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});
