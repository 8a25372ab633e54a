import { type LogEvent, parseResults } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, type Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { block, conversation } from "../support/fixtures.ts";
import { changingSource, noticesIn, remote, sourced } from "../support/sources.ts";

const keyRing = createKeyRing(["a ring of these processes, which is long enough"]);

/** A store whose process dies right before it stores a record of this kind, or right after that. */
function dying(inner: Store, kind: string, when: "before" | "after"): Store {
  let isDead = false;
  return {
    ...inner,
    async append(key, events, options) {
      if (isDead) throw new Error("killed");
      const at = events.findIndex((event) => event.type === "record" && event.kind === kind);
      if (at === -1) return inner.append(key, events, options);
      isDead = true;
      await inner.append(key, events.slice(0, when === "before" ? at : at + 1), options);
      throw new Error("killed");
    },
  };
}

const original = { description: "Stars it." };

/** A conversation whose process died with a call of `github__star`: before its body began, or while it ran. */
async function crashed(where: "open" | "running", more: Partial<Tool> = {}): Promise<Store> {
  const store = memoryStore();
  const source = changingSource("github", remote("github__star", { ...original, ...(more as object) }));
  const first = sourced(
    [block(["github__star", {}])],
    [source],
    { keyRing },
    dying(store, "started", where === "open" ? "before" : "after"),
  );
  expect(await first.ask()).toMatchObject({ status: "failed", error: { code: "store" } });
  return store;
}

const now = {
  there: (ran: string[], more: object) => [remote("github__star", { ...original, ...more }, ran)],
  changed: (ran: string[], more: object) => [remote("github__star", { description: "Deletes it.", ...more }, ran)],
  gone: () => [],
};

const idempotent = { annotations: { idempotentHint: true } };

interface Row {
  where: "open" | "running";
  what: keyof typeof now;
  more?: object;
  /** How `recover` ends. */
  status: "completed" | "waiting";
  /** Whether the body runs then. */
  runs: boolean;
  says?: string;
  isUnknown?: boolean;
}

const rows: Row[] = [
  { where: "open", what: "there", status: "completed", runs: true, says: "did github__star" },
  { where: "open", what: "changed", status: "waiting", runs: false },
  {
    where: "open",
    what: "gone",
    status: "completed",
    runs: false,
    says: "The tool github__star is not there any more",
  },
  { where: "running", what: "there", status: "completed", runs: false, says: "outcome unknown", isUnknown: true },
  { where: "running", what: "changed", status: "completed", runs: false, says: "outcome unknown", isUnknown: true },
  { where: "running", what: "gone", status: "completed", runs: false, says: "outcome unknown", isUnknown: true },
  { where: "running", what: "there", more: idempotent, status: "completed", runs: true, says: "did github__star" },
  { where: "running", what: "changed", more: idempotent, status: "waiting", runs: false },
  {
    where: "running",
    what: "gone",
    more: idempotent,
    status: "completed",
    runs: false,
    says: "outcome unknown",
    isUnknown: true,
  },
];

describe("a process that dies with a call of a source's tool", () => {
  it.each(rows)(
    "$where, and its tool is $what afterwards ($more): $status",
    async ({ where, what, more = {}, status, runs, says, isUnknown }) => {
      const store = await crashed(where, more);
      const ran: string[] = [];
      const { recover, log } = sourced(
        ["Over.<end>"],
        [changingSource("github", ...now[what](ran, more))],
        { keyRing },
        store,
      );
      const result = await recover({ conversation }).result;
      expect([result.status, ran.length > 0, (result.unknown ?? []).length > 0]).toEqual([
        status,
        runs,
        isUnknown === true,
      ]);
      if (says !== undefined) expect(resultsIn(await log())[0]?.content).toContain(says);
      if (status === "waiting")
        expect(result.waiting).toMatchObject([{ name: "github__star", concerns: [{ kind: "changed" }] }]);
      // The words do not stand between a call and its result.
      const types = (await log()).map(({ type }) => type).filter((type) => type !== "record");
      if (status === "completed") expect(types.slice(1, 3)).toEqual(["call", "result"]);
      expect(noticesIn(await log())).toHaveLength(status === "completed" && what !== "there" ? 1 : 0);
    },
  );

  it("runs a call of a changed definition once a person has allowed it, and not before", async () => {
    const store = await crashed("open");
    const ran: string[] = [];
    const source = () => changingSource("github", ...now.changed(ran, {}));
    const { recover, send } = sourced([], [source()], { keyRing }, store);
    const { waiting = [] } = await recover({ conversation }).result;
    for (const { question } of waiting) await send({ conversation }, { kind: "approve", question });
    const next = sourced(["Over.<end>"], [source()], { keyRing }, store);
    expect(await next.recover({ conversation }).result).toMatchObject({
      status: "completed",
      text: "Over.",
      toolErrors: 0,
    });
    expect(ran).toEqual(["Deletes it."]);
  });

  it("does not hold an approval from before for a changed definition", async () => {
    const ask = { approval: "ask" as const };
    const store = await crashedAfterApproval(ask);
    const ran: string[] = [];
    const same = sourced([], [changingSource("github", ...now.changed(ran, ask))], { keyRing }, store);
    const result = await same.recover({ conversation }).result;
    expect(result).toMatchObject({ status: "waiting" });
    expect(result.waiting?.[0]?.concerns.map(({ kind }) => kind)).toContain("changed");
    expect(ran).toEqual([]);
    const other = await crashedAfterApproval(ask);
    const unchanged = sourced(["Over.<end>"], [changingSource("github", ...now.there(ran, ask))], { keyRing }, other);
    expect(await unchanged.recover({ conversation }).result).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(ran).toEqual(["Stars it."]);
  });

  it("answers the calls that it left also where a prompt follows", async () => {
    const store = await crashed("running");
    const { ask, log } = sourced(["Over.<end>"], [changingSource("github")], { keyRing }, store);
    expect(await ask("Go on.")).toMatchObject({ status: "completed", unknown: [{ name: "github__star" }] });
    expect(resultsIn(await log())[0]?.content).toContain("outcome unknown");
    expect(noticesIn(await log())).toEqual(["Your tools have changed. No longer there: github__star."]);
  });
});

async function crashedAfterApproval(more: object): Promise<Store> {
  const store = memoryStore();
  const source = changingSource("github", remote("github__star", { ...original, ...more }));
  const first = sourced([block(["github__star", {}])], [source], { keyRing }, dying(store, "approval", "after"));
  expect(await first.ask("go", { approve: () => true })).toMatchObject({ status: "failed" });
  return store;
}

const resultsIn = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
