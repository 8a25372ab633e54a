import { runProviderConformance } from "@cogency/provider/testkit";
import { describe, expect, it } from "vitest";
import { wire } from "../../test/support/gemini-wire.ts";
import { google } from "../google.ts";

const declare = {
  "usage is exact: cache writes, which are no part of input":
    "the wire does not tell what the server writes to its cache",
};

describe("google", () => {
  it("keeps the contract of a provider in every case that applies to its wire", async () => {
    const report = await runProviderConformance("google", () => ({
      wire,
      provider: ({ url, ...address }) => google({ baseURL: url, ...address }),
      declare,
    }));
    console.log(report.table);
    expect(report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]))).toEqual(
      Object.keys(declare),
    );
  });
});
