import { describe, expect, it } from "vitest";
import { at, callThenAnswer, hooked } from "./stage.ts";

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
