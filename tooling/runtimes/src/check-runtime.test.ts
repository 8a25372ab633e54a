import { describe, expect, it } from "vitest";
import { checkRuntime, type Runtime } from "./check-runtime.ts";
import type { Report } from "./report.ts";

const report: Report = { name: "Node", version: "22.13.0", how: "CommonJS", passed: 2, failures: [] };
const wanted = { name: "Node", version: "22.13.0", how: "CommonJS" } as const;

const vectors = (count: number) => ({ count, of: "vectors" });

const check = (given: Partial<Report>, runtime: Omit<Runtime, "run"> = wanted) =>
  checkRuntime({ ...runtime, run: async () => ({ ...report, ...given }) }, vectors(2));

describe("the check of one runtime", () => {
  it("shows the name that the runtime reports, and how many vectors passed", async () => {
    const chromium = { name: "Chromium", version: "153.0.8010.0", how: "worker" } as const;
    expect(await check(chromium, { name: "Chromium", how: "worker" })).toEqual({
      item: "Chromium 153.0.8010.0, worker",
      note: "2 vectors passed",
      problems: [],
    });
  });

  it.each<[what: string, given: Partial<Report>, problems: string[]]>([
    ["no vector", { passed: 0 }, ["ran 0 of 2 vectors"]],
    ["too few vectors", { passed: 1 }, ["ran 1 of 2 vectors"]],
    ["a vector that fails", { passed: 1, failures: ["a: b"] }, ["a: b"]],
    ["another version", { version: "24.21.0" }, ["should be Node 22.13.0, CommonJS"]],
    ["another runtime", { name: "Bun" }, ["should be Node 22.13.0, CommonJS"]],
    ["another way to load", { how: "ES module" }, ["should be Node 22.13.0, CommonJS"]],
  ])("fails with %s", async (_what, given, problems) => {
    expect((await check(given)).problems).toEqual(problems);
  });

  it("fails without a vector even if none was expected", async () => {
    const run = async () => ({ ...report, passed: 0 });
    expect((await checkRuntime({ ...wanted, run }, vectors(0))).problems).toEqual(["ran 0 of 0 vectors"]);
  });

  it("shows the first of many failures, and how many there are", async () => {
    const failures = ["a", "b", "c", "d", "e"];
    expect((await check({ passed: 0, failures })).problems).toEqual([
      "a",
      "b",
      "c",
      "2 more vectors failed",
      "ran 5 of 2 vectors",
    ]);
  });

  it("fails with the error that a launcher throws", async () => {
    const run = () => Promise.reject(new Error("it burns"));
    expect(await checkRuntime({ ...wanted, run }, vectors(2))).toMatchObject({
      item: "Node 22.13.0, CommonJS",
      problems: ["it burns"],
    });
  });

  it("fails without the runtime where there is a build of it, and says so where there is none", async () => {
    const missing = { ...wanted, run: undefined };
    expect(await checkRuntime(missing, vectors(2), "linux-x64")).toMatchObject({
      problems: ["was not installed; remove tooling/runtimes/engines/node_modules and try again"],
    });
    expect(await checkRuntime(missing, vectors(2), "sunos-x64")).toMatchObject({
      note: "skipped: there is no build for sunos-x64",
      problems: [],
    });
  });
});
