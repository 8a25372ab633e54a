import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { AfterResponse } from "../../src/hooks.ts";
import { conversation } from "../support/fixtures.ts";
import { at, callThenAnswer, hooked } from "./stage.ts";

/** The log of a process that died while its hook judged the calls of a response. */
async function diedWhileJudging() {
  const judging = Promise.withResolvers<void>();
  const hanging = at("afterResponse", () => {
    judging.resolve();
    return new Promise(() => {});
  });
  const { run, log } = hooked([`Now.${callThenAnswer[0]}`], [hanging]);
  void run("go", { conversation }).result;
  await judging.promise;
  const store = memoryStore();
  await store.append({ conversation }, await log());
  return store;
}

describe("calls whose process died while a hook of afterResponse judged them", () => {
  const done = callThenAnswer.slice(1);

  it("are shown to the hook again, and run in `recover` after that", async () => {
    const shown: unknown[] = [];
    const hook = at("afterResponse", ({ text, calls }: AfterResponse) => void shown.push([text, ...calls]));
    const { recover, effects } = hooked(done, [hook], { store: await diedWhileJudging() });
    expect(await recover()).toMatchObject({ status: "completed", text: "Done." });
    expect(effects).toEqual(["act a"]);
    expect(shown).toEqual([["Now.", { name: "act", args: { what: "a" }, id: expect.any(String) }], ["Done."]]);
  });

  it("do not run in `recover` if the hook stops it, or fails", async () => {
    const stop = { reason: "policy", message: "No." };
    const stopping = hooked(done, [at("afterResponse", () => ({ stop }))], { store: await diedWhileJudging() });
    expect(await stopping.recover()).toMatchObject({ status: "stopped", stop });
    const failing = at("afterResponse", () => Promise.reject(new Error("no rules")));
    const failed = hooked(done, [failing], { store: await diedWhileJudging() });
    expect(await failed.recover()).toMatchObject({ status: "failed", error: { code: "hook" } });
    expect([...stopping.effects, ...failed.effects]).toEqual([]);
  });

  it("are not shown again once one of them has begun", async () => {
    let asked = 0;
    const hook = at("afterResponse", () => void asked++);
    const begun = hooked(callThenAnswer, [hook]);
    await begun.go();
    expect(asked).toBe(2);
    const log = await begun.log();
    const store = memoryStore();
    const started = log.findIndex((event) => event.type === "record" && event.kind === "started");
    await store.append({ conversation }, log.slice(0, started + 1));
    const again = hooked(done, [hook], { store });
    expect(await again.recover()).toMatchObject({ status: "completed", unknown: [{ name: "act" }] });
    expect(asked).toBe(3);
  });
});

describe("calls that a hook of afterResponse has not judged", () => {
  const notRun = expect.stringContaining("the run ended before its hooks had allowed it");

  it("do not run in `recover` after the hook failed: the model reads that, and its next calls are judged", async () => {
    let asked = 0;
    const hook = at("afterResponse", () => {
      if (++asked === 1) throw new Error("no rules");
    });
    const { go, recover, effects, log } = hooked(callThenAnswer, [hook]);
    expect(await go()).toMatchObject({ status: "failed", error: { code: "hook" }, toolErrors: 1 });
    expect((await log()).at(-2)).toMatchObject({ type: "result", content: notRun, payload: { tools_executed: 0 } });
    expect(await recover()).toMatchObject({ status: "completed", text: "Done." });
    expect([effects, asked]).toEqual([[], 2]);
  });

  it("do not run in `recover` after the time was over while the hook was at work", async () => {
    const leaving = new AbortController();
    let asked = 0;
    const hook = at("afterResponse", () => {
      if (++asked > 1) return undefined;
      leaving.abort(new DOMException("late", "TimeoutError"));
      return new Promise(() => {});
    });
    const { go, recover, effects, log } = hooked(callThenAnswer, [hook]);
    expect(await go({ signal: leaving.signal })).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    expect((await log()).find(({ type }) => type === "result")).toMatchObject({ content: notRun });
    expect(await recover()).toMatchObject({ status: "completed", text: "Done." });
    expect(effects).toEqual([]);
  });
});
