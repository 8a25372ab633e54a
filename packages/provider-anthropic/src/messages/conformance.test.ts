import { runProviderConformance, type WireHarness } from "@cogency/provider/testkit";
import { problemOf } from "@tooling/wires/strict";
import { describe, expect, it } from "vitest";
import { wire } from "../../test/support/messages-wire.ts";
import { withoutCacheMarks } from "../../test/support/without-cache-marks.ts";
import { anthropic } from "../anthropic.ts";

const harness: WireHarness = {
  wire: { ...wire, problem: problemOf("anthropic") },
  provider: ({ url, ...address }) => anthropic({ baseURL: url, ...address }),
  normalize: withoutCacheMarks,
};

describe("anthropic", () => {
  it("keeps the contract of a provider in every case", async () => {
    const report = await runProviderConformance("anthropic", () => harness);
    console.log(report.table);
    expect(report.cases.filter(({ status }) => status !== "passed")).toEqual([]);
  });
});
