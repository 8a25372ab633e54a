import { describe, expect, it } from "vitest";
import type { Bundle } from "./bundle-program.ts";
import { type BundleCheck, checkBundle } from "./check-bundle.ts";
import type { Report } from "./report.ts";

const bundle: Bundle = { folder: "agent/text", bytes: 61_234, others: ["@cfworker/json-schema"] };

const common = { title: "Agent, text", runCount: 3, mayBring: ["@cfworker/json-schema"] };
const sent: Report = { name: "Chromium", version: "153.0.8010.0", how: "page", passed: 3, failures: [] };

/** Checks a bundle whose page and worker report three runs, but for what is given. */
const check = (bundled: Partial<Bundle> = {}, given: Partial<Report> = {}) =>
  checkBundle({
    ...common,
    bundle: async () => ({ ...bundle, ...bundled }),
    open: async (page) => ({ ...sent, how: page.includes("worker") ? "worker" : "page", ...given }),
  });

describe("the check of a bundled program", () => {
  it("tells of the page and of the worker how many runs passed, and what the bundle weighs", async () => {
    const note = "3 runs passed, in 61.2 kB";
    expect(await check()).toEqual([
      { item: "Agent, text, Chromium 153.0.8010.0, page", note, problems: [] },
      { item: "Agent, text, Chromium 153.0.8010.0, worker", note, problems: [] },
    ]);
  });

  it.each<[what: string, bundled: Partial<Bundle>, given: Partial<Report>, problem: string]>([
    ["an SDK in the bundle", { others: ["@cfworker/json-schema", "openai"] }, {}, "brings openai"],
    ["a run that fails", {}, { passed: 2, failures: ["a: b"] }, "a: b"],
    ["too few runs", {}, { passed: 2 }, "made 2 of 3 runs"],
    ["a page in place of the worker", {}, { how: "page" }, "should be a worker"],
  ])("fails with %s", async (_what, bundled, given, problem) => {
    expect((await check(bundled, given)).at(-1)?.problems).toEqual([problem]);
  });

  it("fails once with a program that cannot be bundled, and says why", async () => {
    const broken = () => Promise.reject(new Error('Could not resolve "node:fs"'));
    const open: BundleCheck["open"] = () => new Promise(() => {});
    expect(await checkBundle({ ...common, bundle: broken, open })).toEqual([
      { item: "Agent, text", note: "", problems: ['Could not resolve "node:fs"'] },
    ]);
  });

  it("fails with the error of a page that sends no report", async () => {
    const open = () => Promise.reject(new Error("it burns"));
    const outcomes = await checkBundle({ ...common, bundle: async () => bundle, open });
    expect(outcomes.map(({ problems }) => problems)).toEqual([["it burns"], ["it burns"]]);
  });
});
