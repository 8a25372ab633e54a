import { rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testHome } from "../../test/support/test-home.ts";
import { tellOnce } from "./told-once.ts";

describe("a remark about this machine", () => {
  it("is said once per installation, and another one too", () => {
    const { told } = testHome();
    for (const text of ["No bubblewrap.", "No bubblewrap.", "No prlimit.", "No bubblewrap."]) tellOnce(text);
    expect(told.map((text) => text.split(" This")[0])).toEqual([
      expect.stringContaining("No bubblewrap."),
      expect.stringContaining("No prlimit."),
    ]);
    expect(told[0]).toContain("cogency doctor says it again.");
  });

  it("is said each time where nothing can be kept", () => {
    const { home, told } = testHome();
    // A file stands in the place of the folder.
    rmdirSync(join(home, ".config/cogency"));
    writeFileSync(join(home, ".config/cogency"), "");
    for (const text of ["No bubblewrap.", "No bubblewrap."]) tellOnce(text);
    expect(told).toHaveLength(2);
  });
});
