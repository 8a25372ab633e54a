import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspaceRoot } from "../workspace.ts";
import { missingFilesIn } from "./named-files.ts";

describe.each(["packages/README.md", "packages/words.md", ".github/CONTRIBUTING.md"])("%s", (page) => {
  const markdown = readFileSync(join(workspaceRoot, page), "utf8");

  it("names only files that exist, and names that stand in them", () => {
    expect(missingFilesIn(markdown, textOf)).toEqual([]);
  });

  it("names files in the way that this test checks", () => {
    expect(missingFilesIn(markdown, () => undefined).length).toBeGreaterThan(20);
  });
});

describe("missingFilesIn", () => {
  const files: Record<string, string> = {
    "packages/agent/src/loop": "",
    "packages/agent/src/loop/step.ts":
      '// begin it\nimport { endStep } from "./end-step.ts";\nexport async function* runStep() {}\nclass Step {\n  async end() {}\n}',
  };
  const missing = (markdown: string) => missingFilesIn(markdown, (path) => files[path]);

  it.each([
    "`packages/agent/src/loop/step.ts`",
    "`packages/agent/src/loop`",
    "`packages/agent/src/loop/step.ts: runStep` reads",
    "`packages/agent/src/loop/step.ts: end` is a method",
    "packages/none.ts without backticks, `src/none.ts` and `@cogency/none`",
  ])("finds nothing in %j", (markdown) => {
    expect(missing(markdown)).toEqual([]);
  });

  it.each([
    ["a\n`packages/none.ts`", "line 2: packages/none.ts does not exist"],
    ["`apps/none` and `tooling/none.ts: x`", "line 1: apps/none does not exist"],
    ["`packages/agent/src/loop/step.ts: endStep`", "line 1: packages/agent/src/loop/step.ts declares no endStep"],
    ["`packages/agent/src/loop/step.ts: begin`", "line 1: packages/agent/src/loop/step.ts declares no begin"],
    ["`packages/agent/src/loop/step.ts: step`", "line 1: packages/agent/src/loop/step.ts declares no step"],
  ])("finds what is missing in %j", (markdown, problem) => {
    expect(missing(markdown)).toContain(problem);
  });
});

function textOf(path: string): string | undefined {
  const place = join(workspaceRoot, path);
  if (!existsSync(place)) return undefined;
  return statSync(place).isDirectory() ? "" : readFileSync(place, "utf8");
}
