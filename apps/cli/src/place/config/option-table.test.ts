import { describe, expect, it } from "vitest";
import { optionRow, settingNames } from "./option-table.ts";

describe("the keys of a configuration", () => {
  it("are asked about again when they change, but for those that neither run, reach, send nor protect anything", () => {
    expect(settingNames.filter((name) => !optionRow(name).isRisky)).toEqual([
      ...["model", "api", "driver", "dialect", "startIn", "repair", "grammar", "think", "contextWindow", "compact"],
      ...["stream", "quiet", "notify", "plain"],
    ]);
  });
});
