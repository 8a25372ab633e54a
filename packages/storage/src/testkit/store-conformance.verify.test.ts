import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ConformanceError } from "@cogency/protocol/testkit";
import { describe, expect, it } from "vitest";
import { fewCases } from "../../test/support/few-cases.ts";
import { memoryStore } from "../memory/memory-store.ts";
import type { Store } from "../store.ts";
import { allCases } from "./cases/all-cases.ts";
import { runStoreConformance, storeConformance } from "./store-conformance.ts";
import type { StoreUnderTest } from "./tested-store.ts";

const make = async (change: Partial<Store> = {}) => ({ store: { ...memoryStore(), ...change } });

describe("runStoreConformance", () => {
  it("reports each case once, and sums up in the last line of the table", async () => {
    const { name, cases, table } = await runStoreConformance("memory", () => make(), fewCases);
    const count = (status: string) => cases.filter((one) => one.status === status).length;
    expect(name).toBe("memory");
    expect(count("failed")).toBe(0);
    expect(count("declared")).toBe(Object.keys(fewCases).length);
    expect(new Set(cases.map((one) => one.name)).size).toBe(allCases.length + 1);
    expect(table.split("\n").length).toBe(cases.length + 2);
    expect(table.split("\n").at(-1)).toBe(`memory: ${count("passed")} passed, ${count("declared")} declared`);
    expect(table).toContain(
      "  declared  a store that is opened again has the profiles, and continues their versions: its",
    );
  });

  it("throws an error with the report that lists every failed case", async () => {
    const forgetful = () => make({ deleteProfile: async () => true });
    const error = await runStoreConformance("forgetful", forgetful, fewCases).catch((thrown: unknown) => thrown);
    if (!(error instanceof ConformanceError)) return expect.unreachable(String(error));
    const failed = error.report.cases.filter(({ status }) => status === "failed");
    expect(error.code).toBe("not_conformant");
    expect(error.message).toMatch(
      new RegExp(`^The store "forgetful" fails ${failed.length} of ${error.report.cases.length} cases:\n- `),
    );
    expect(error.message).toContain(
      "- deleteProfile returns whether one existed, keeps the conversations, and versions start again: " +
        "a user without a profile: expected false, got true.",
    );
    expect(error.report.table).toMatch(/declared, \d failed$/);
  });
});

describe("storeConformance", () => {
  const failure = async (name: string, made: () => Promise<StoreUnderTest>, declare = {}) =>
    storeConformance("mine", made, declare)
      .find((one) => one.name === name)
      ?.run()
      .then(
        () => undefined,
        (error: Error) => error.message,
      );

  it("gives every case a unique name", () => {
    const names = storeConformance("memory", () => make()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ["a name that no case has", { "no such case": "because" }, 'mine: The kit has no case "no such case".'],
    ["a name of every object", { toString: "because" }, 'mine: The kit has no case "toString".'],
    [
      "no reason",
      { "delete returns whether the conversation existed": " " },
      'mine: The declared case "delete returns whether the conversation existed" needs a reason.',
    ],
  ])("fails a declaration with %s", async (_, declare, problem) => {
    expect(await failure("only cases of the kit are declared", () => make(), declare)).toBe(problem);
  });

  it.each(allCases.flatMap(({ name, needs = [] }) => needs.map((need) => [need, name] as const)))(
    "fails a store without `%s` unless it declares: %s",
    async (need, name) => {
      const problem = `mine: \`make\` returned no \`${need}\` for the store. If that is so, declare the case.`;
      expect(await failure(name, () => make())).toBe(problem);
      expect(await failure(name, () => make(), { [name]: "it cannot" })).toBeUndefined();
    },
  );

  it.each(allCases.filter(({ needs }) => needs?.includes("reopen")).map(({ name }) => name))(
    "notices a store that is empty, or as it was at first, when it is opened again: %s",
    async (name) => {
      const empty = async () => ({ ...(await make()), reopen: async () => memoryStore() });
      const stale = async () => {
        const reopened = memoryStore();
        const append: Store["append"] = async (...args) =>
          store.append(...args).finally(() => reopened.append(...args));
        const store = memoryStore();
        return { store: { ...store, append }, reopen: async () => reopened };
      };
      const problems = [await failure(name, empty), await failure(name, stale)];
      expect(problems.filter((problem) => problem !== undefined)).not.toEqual([]);
    },
  );

  it("notices a store that keeps the first message as the title, though a person gave one", async () => {
    const made = async () => {
      const store = memoryStore();
      const conversations: Store["conversations"] = async (options) => {
        const listed = await store.conversations(options);
        return Promise.all(
          listed.map(async (one) => {
            const [first] = await store.load(one, { types: ["user"], limit: 1 });
            return { ...one, title: first?.type === "user" ? first.content : "" };
          }),
        );
      };
      return { store: { ...store, conversations } };
    };
    const name = "conversations gives a title that a person gave, and of several the last";
    expect(await failure(name, made)).toContain('expected ["Two","Two"], got ["Hello","Hello"]');
  });

  it("closes and disposes of a store whose case failed", async () => {
    const events: string[] = [];
    const made = async () => ({
      ...(await make({ append: async () => -1, close: async () => void events.push("close") })),
      dispose: async () => void events.push("dispose"),
    });
    const name = "append numbers events from 1 without a gap and returns the last number";
    expect(await failure(name, made)).toBe("mine: the first append: expected 1, got -1.");
    expect(events).toEqual(["close", "dispose"]);
  });

  it("leaves no unhandled rejection when a store neither closes in time nor ends its followers", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", listen);
    const slow = { close: () => new Promise<void>((resolve) => setTimeout(resolve, 150)) };
    const made = async () => ({ ...(await make(slow)), patience: 20 });
    expect(await failure("follow throws `closed` when the store is closed, also while it waits", made)).toContain(
      "No event reached the follower",
    );
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });

  it("ends the processes of a failed case, and reports the error output of a process that could not start", async () => {
    const made = async () => ({
      ...(await make()),
      elsewhere: { module: new URL("../../test/no-such-module.ts", import.meta.url), options: null },
    });
    expect(await failure("follow ends when another process deletes the conversation", made)).toContain(
      "no-such-module.ts",
    );
  });

  it.each([
    "other processes read, list and find an append at once",
    "one of many processes with the same `expected` wins, and a batch that many send is stored once",
    "a lease holds across processes, also after its holder was killed, and its owner can take it over",
    "one of many processes gets a lease, and no token is granted twice",
    "follow ends when another process deletes the conversation",
    "a killed process leaves whole batches, every acknowledged one, and a working store",
    "a process that is killed while it posts and takes leaves each message in the log once, or unread",
    "messages of each process keep the order of its posts, and many that post one message post it once",
    "one of many processes takes a message",
    "watch yields after the changes of other processes",
    "a message of a process whose clock is a day fast or slow is in the inbox and due at once",
    "processes that claim at once never claim the same conversation, nor more of a user than allowed",
    "what a killed process has claimed is due again at the end of the claim, and what it has leased, too",
    "watchWakes yields when something becomes due by another process, or by the end of its claim",
    "processes never hold more places than the limit, and that of a killed one is free at its end",
    "live pieces of another process arrive, in the middle of a unit too, while it and its followers come and go",
    "live pieces arrive in other processes, in the middle of a unit too, while they come and go",
    "live publishers know whether anybody follows in another process, also when it was killed",
    "live pieces of 100,000 characters and of odd texts arrive unchanged in another process",
    "live followers go on with the next process when the one that publishes is killed",
    "live publishers of two processes at 30 frames a second and more neither wait nor lose the end",
  ])("detects a store that is not shared by processes: %s", async (name) => {
    const module = new URL("../../test/support/open-alone.ts", import.meta.url);
    const made = async () => ({ ...(await make()), elsewhere: { module, options: null }, patience: 300 });
    expect(await failure(name, made)).not.toBeUndefined();
  });

  it.each([
    ["a test of Node's test runner", ["--test", "--test-reporter=tap", "conformance-by-node.ts"], /# fail 0\n/],
    [
      "a report of the built CommonJS",
      ["conformance-of-build.cjs", JSON.stringify(fewCases)],
      /^memory: \d+ passed, \d+ declared$/m,
    ],
  ])("makes each case %s", (_, args, end) => {
    // With this variable, a child of Node's test runner would take itself for a part of the parent's run.
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const cwd = fileURLToPath(new URL("../../test/support/", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", env });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(end);
  });
});
