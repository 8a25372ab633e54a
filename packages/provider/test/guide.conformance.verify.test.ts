import { readFileSync, rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { runProviderConformance } from "../src/testkit/index.ts";
import { guide, guideHarness } from "./support/guide.ts";

describe("the guide's provider", async () => {
  const folder = new URL(".readme/whole-conformance/", import.meta.url);
  const harness = await guideHarness(folder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("passes every case, as the guide says", async () => {
    const { table } = await runProviderConformance("parrot", () => harness);
    console.log(table);
    expect(readFileSync(guide, "utf8")).toContain(`\`\`\`text\n${table.split("\n").at(-1)}\n\`\`\``);
  });
});
